import type { Hdf5Dataset } from '@assay/hdf5';
import type { Finding, Stream } from '#core/episode';
import { unevenArrays } from '../../../shared/step-arrays/file-arrays.ts';
import { alohaBreach } from '../../rules/aloha/contract.ts';
import type { AlohaReader } from '../../rules/aloha/readers.ts';

/** Whether the readers take rows of the array by the row of /action. */
const isServed = (id: string): boolean =>
  /^observations\/(qpos|qvel)$/.test(id) || (/^observations\/images\/[^/]+$/.test(id) && !/depth/.test(id));

/** Arrays of another length than /action. */
export function lengthFindings(
  reader: AlohaReader,
  path: string,
  steps: number,
  measured: readonly (readonly [string, Hdf5Dataset])[],
): Finding[] {
  const uneven = unevenArrays(measured, steps);
  // act-plus-plus counts rows by qpos.
  const isOwn = (id: string) => isServed(id) && !(reader === 'act-plus-plus' && id === 'observations/qpos');
  const short = uneven.filter(([id, rows]) => isOwn(id) && rows < steps);
  const long = uneven.filter(([id, rows]) => isOwn(id) && rows > steps);
  const aside = uneven.filter(([id]) => !isOwn(id));
  const findings: Finding[] = [];
  const say = (which: typeof uneven) => {
    const named = which.slice(0, 4).map(([id, rows]) => `${id} ${rows}`);
    const evidence = { steps, arrays: Object.fromEntries(which.slice(0, 20)) };
    const message = `/action has ${steps} rows; not so: ${named.join(', ')}${which.length > 4 ? ', …' : ''}`;
    return [message, evidence] as const;
  };
  if (short.length > 0) findings.push(...alohaBreach(reader, 'aloha_array_short', path, ...say(short)));
  if (long.length > 0) findings.push(...alohaBreach(reader, 'aloha_array_long', path, ...say(long)));
  if (aside.length > 0) {
    const [message, evidence] = say(aside);
    const advice = 'record the episode again, or cut every array to the rows they share';
    findings.push({ code: 'array_length_mismatch', severity: 'error', path, message, advice, evidence });
  }
  return findings;
}

/** What the readers ask of a file besides its arrays' lengths. `names`: all arrays, those that cannot be read too. */
export function fileFindings(
  reader: AlohaReader,
  path: string,
  says_sim: boolean,
  names: ReadonlySet<string>,
  streams: readonly Stream[],
): Finding[] {
  const findings: Finding[] = [];
  if (!says_sim)
    findings.push(...alohaBreach(reader, 'aloha_sim_missing', path, `${path} has no attribute sim`));
  if (!names.has('observations/qvel'))
    findings.push(...alohaBreach(reader, 'aloha_qvel_missing', path, `${path} has no /observations/qvel`));
  for (const id of ['action', 'observations/qpos']) {
    const values = streams.find((stream) => stream.id === id)?.series?.values ?? [];
    let odd = 0;
    for (const value of values) if (!Number.isFinite(value)) odd++;
    if (odd === 0) continue;
    const message = `${path}: ${odd} of ${values.length} numbers of /${id} are not finite`;
    findings.push(
      ...alohaBreach(reader, 'aloha_value_not_finite', path, message, { array: id, numbers: odd }),
    );
  }
  return findings;
}

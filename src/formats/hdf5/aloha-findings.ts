import type { Hdf5Dataset } from '@assay/hdf5';
import type { Finding, Stream } from '#core/episode';
import { findUnevenArrays } from '../shared/arrays/step-arrays.ts';
import { type AlohaReader, alohaViolation } from './aloha-rules.ts';

/** Returns true if the training programs read rows of the array by the row index of /action. */
const isServedArray = (id: string): boolean =>
  /^observations\/(qpos|qvel)$/.test(id) || (/^observations\/images\/[^/]+$/.test(id) && !/depth/.test(id));

/**
 * Returns findings on arrays whose length differs from that of /action (`steps`): too short and too long ones by rule,
 * arrays that the reader does not use as one finding; empty if all agree.
 */
export function lengthFindings(
  reader: AlohaReader,
  path: string,
  steps: number,
  measured: readonly (readonly [string, Hdf5Dataset])[],
): Finding[] {
  const uneven = findUnevenArrays(measured, steps);
  // act-plus-plus counts steps by the rows of qpos.
  const isCheckedByReader = (id: string) =>
    isServedArray(id) && !(reader === 'act-plus-plus' && id === 'observations/qpos');
  const short = uneven.filter(([id, rows]) => isCheckedByReader(id) && rows < steps);
  const long = uneven.filter(([id, rows]) => isCheckedByReader(id) && rows > steps);
  const others = uneven.filter(([id]) => !isCheckedByReader(id));
  const findings: Finding[] = [];
  const describe = (selected: typeof uneven) => {
    const listed = selected.slice(0, 4).map(([id, rows]) => `${id} ${rows}`);
    const evidence = { steps, arrays: Object.fromEntries(selected.slice(0, 20)) };
    const message = `/action has ${steps} rows, but other arrays differ: ${listed.join(', ')}${selected.length > 4 ? ', …' : ''}`;
    return [message, evidence] as const;
  };
  if (short.length > 0)
    findings.push(...alohaViolation(reader, 'aloha_array_short', path, ...describe(short)));
  if (long.length > 0) findings.push(...alohaViolation(reader, 'aloha_array_long', path, ...describe(long)));
  if (others.length > 0) {
    const [message, evidence] = describe(others);
    const advice = 'record the episode again, or trim all arrays to the rows they share';
    findings.push({ code: 'array_length_mismatch', severity: 'error', path, message, advice, evidence });
  }
  return findings;
}

/**
 * Returns findings on violations of the reader's requirements besides array lengths: attribute sim, qvel and finite
 * numbers.
 * @param names paths of all arrays, including unreadable ones
 */
export function fileFindings(
  reader: AlohaReader,
  path: string,
  has_sim: boolean,
  names: ReadonlySet<string>,
  streams: readonly Stream[],
): Finding[] {
  const findings: Finding[] = [];
  if (!has_sim)
    findings.push(...alohaViolation(reader, 'aloha_sim_missing', path, `${path} has no attribute sim`));
  if (!names.has('observations/qvel'))
    findings.push(...alohaViolation(reader, 'aloha_qvel_missing', path, `${path} has no /observations/qvel`));
  for (const id of ['action', 'observations/qpos']) {
    const values = streams.find((stream) => stream.id === id)?.series?.values ?? [];
    let nonFinite = 0;
    for (const value of values) if (!Number.isFinite(value)) nonFinite++;
    if (nonFinite === 0) continue;
    const message = `${path}: ${nonFinite} of ${values.length} values of /${id} are NaN or infinite`;
    findings.push(
      ...alohaViolation(reader, 'aloha_value_not_finite', path, message, { array: id, numbers: nonFinite }),
    );
  }
  return findings;
}

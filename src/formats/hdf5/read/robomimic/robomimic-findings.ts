import type { Hdf5File, Hdf5Group } from '@assay/hdf5';
import type { Finding } from '#core/episode';
import { orNull } from '../../../shared/hdf5-file.ts';
import { robomimicBreach } from '../../rules/robomimic/contract.ts';
import { jsonAttribute } from '../texts.ts';
import type { DemoOutline } from './robomimic-outline.ts';

/** The number after `demo_`, by which robomimic sorts; what has none comes last. */
export function demoNumber(name: string): number {
  const digits = /^demo_(\d{1,15})$/.exec(name)?.[1];
  return digits === undefined ? Number.MAX_SAFE_INTEGER : Number(digits);
}

export function totalFindings(path: string, total: number | null, steps: number, demos: number): Finding[] {
  if (total === null || total === steps) return [];
  return [
    {
      ...{ code: 'metadata_count_mismatch', severity: 'warning', path },
      message: `${path}: data says total=${total}; its ${demos} demonstrations hold ${steps} steps`,
      advice: 'find the demonstrations that are missing, or correct the attribute total',
      evidence: { declared: total, found: steps },
    },
  ];
}

/** Python's int() of what stands behind the fifth character. */
const countable = /^[\s\S]{5}\s*[+-]?\d+(_\d+)*\s*$/;

/** `names`: everything below /data, demonstrations or not. */
export function nameFindings(path: string, names: readonly string[]): Finding[] {
  const odd = names.filter((name) => !countable.test(name));
  if (odd.length === 0) return [];
  const message = `${path}: ${odd.length} of ${names.length} names below /data do not end in a number behind demo_: ${odd.slice(0, 4).join(', ')}`;
  return [robomimicBreach('robomimic_demo_name', path, message, { names: odd.slice(0, 20) })];
}

/** What robomimic needs of the file besides its names and masks. */
export async function fileFindings(
  path: string,
  data: Hdf5Group,
  outlines: readonly DemoOutline[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (id: Parameters<typeof robomimicBreach>[0], message: string) =>
    findings.push(robomimicBreach(id, path, `${path}: ${message}`));
  if ((await jsonAttribute(data, 'env_args')) === null)
    add('robomimic_env_args_missing', '/data has no attribute env_args that holds a JSON object');
  const bare = outlines.filter(({ rows, hasFlatActions }) => rows === null || hasFlatActions);
  if (bare.length > 0)
    add(
      'robomimic_actions_missing',
      `${bare.length} demonstrations have no actions of steps x dimensions: ${namesOf(bare)}`,
    );
  const without = (name: string) => outlines.filter(({ members }) => !members.has(name));
  const lacking = ['rewards', 'dones', 'next_obs'].filter((name) => without(name).length > 0);
  if (lacking.length > 0) add('robomimic_transitions_missing', `demonstrations lack ${lacking.join(', ')}`);
  return findings;
}

const namesOf = (demos: readonly DemoOutline[]) =>
  demos
    .slice(0, 4)
    .map(({ name }) => name)
    .join(', ');

/** What a demonstration holds besides arrays of one row a step. */
export function asideFindings(path: string, members: Iterable<string>): Finding[] {
  const aside = [...members].filter((name) => name === 'initial_state' || name === 'next_obs');
  if (aside.length === 0) return [];
  return [
    {
      ...{ code: 'arrays_not_read', severity: 'info', path },
      message: `${path}: ${aside.join(' and ')} of each demonstration is not read: no rows of its own, or obs one step later`,
      advice: 'nothing to do',
    },
  ];
}

/** Masks name the demonstrations of a split: told, and held against what is there. */
export async function maskFindings(file: Hdf5File, demos: readonly string[]): Promise<Finding[]> {
  const group = await orNull(file.root.group('mask'));
  if (group === null) return [];
  const there = new Set(demos);
  const masks = await readMasks(group);
  const sizes = Object.fromEntries([...masks].map(([name, listed]) => [name, listed.size]));
  const findings: Finding[] = [];
  if (masks.size > 0) {
    findings.push({
      ...{ code: 'splits_declared', severity: 'info', path: file.path },
      message: `${file.path}: mask divides the demonstrations: ${Object.entries(sizes)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
      advice: 'train and validate by these splits',
      evidence: { splits: sizes },
    });
  }
  const absent = [...masks].flatMap(([name, listed]) =>
    [...listed].filter((demo) => !there.has(demo)).map((demo) => `${name}/${demo}`),
  );
  if (absent.length > 0) {
    const message = `${file.path}: masks name ${absent.length} demonstrations that are not there: ${absent.slice(0, 4).join(', ')}`;
    findings.push(robomimicBreach('robomimic_mask_demo_absent', file.path, message));
  }
  const [train, valid] = [masks.get('train'), masks.get('valid')];
  const both = [...(train ?? [])].filter((demo) => valid?.has(demo));
  if (both.length > 0) {
    const message = `${file.path}: ${both.length} demonstrations are in train and in valid: ${both.slice(0, 4).join(', ')}`;
    findings.push(robomimicBreach('robomimic_masks_overlap', file.path, message));
  }
  return findings;
}

const mostMasks = 64;
const mostNames = 1_000_000;

async function readMasks(group: Hdf5Group): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const masks = new Map<string, ReadonlySet<string>>();
  for (const name of [...(await group.links()).keys()].slice(0, mostMasks)) {
    const dataset = await orNull(group.dataset(name));
    if (dataset?.type.kind !== 'text' || dataset.rows > mostNames) continue;
    const texts = await orNull(dataset.readTexts());
    if (texts !== null) masks.set(name, new Set(texts));
  }
  return masks;
}

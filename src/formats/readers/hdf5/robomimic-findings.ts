import type { Finding } from '#episode';
import { type Hdf5File, type Hdf5Group, orNull } from '../../hdf5/index.ts';

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

export function nameFindings(path: string, demos: readonly string[]): Finding[] {
  const odd = demos.filter((name) => demoNumber(name) === Number.MAX_SAFE_INTEGER);
  if (odd.length === 0) return [];
  return [
    {
      ...{ code: 'demo_name_odd', severity: 'warning', path },
      message: `${path}: ${odd.length} of ${demos.length} demonstrations are not called demo_<number>: ${odd.slice(0, 4).join(', ')}`,
      advice: 'rename them: robomimic sorts by that number and fails on other names',
    },
  ];
}

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
    findings.push({
      ...{ code: 'split_names_missing_episode', severity: 'warning', path: file.path },
      message: `${file.path}: masks name ${absent.length} demonstrations that are not there: ${absent.slice(0, 4).join(', ')}`,
      advice: 'write the masks again (robomimic: split_train_val.py)',
    });
  }
  const [train, valid] = [masks.get('train'), masks.get('valid')];
  const both = [...(train ?? [])].filter((demo) => valid?.has(demo));
  if (both.length > 0) {
    findings.push({
      ...{ code: 'splits_overlap', severity: 'warning', path: file.path },
      message: `${file.path}: ${both.length} demonstrations are in train and in valid: ${both.slice(0, 4).join(', ')}`,
      advice: 'write the masks again, so that validation sees what training did not',
    });
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

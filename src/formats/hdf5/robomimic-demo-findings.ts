import type { Hdf5Dataset, Hdf5Group } from '@assay/hdf5';
import { AssayError, significant } from '#core';
import type { Finding, Stream } from '#core/episode';
import { listArrays } from '../shared/arrays/step-arrays.ts';
import { nullIfUnreadable } from '../shared/hdf5-file.ts';
import { robomimicViolation } from './robomimic-rules.ts';

/** Properties of a demonstration that the rules check. */
export interface DemoFacts {
  readonly path: string;
  readonly name: string;
  /** Rows of its actions. */
  readonly steps: number;
  /** Attribute num_samples; `null` if absent. */
  readonly num_samples: number | null;
  readonly isIntegerCount: boolean;
  readonly arrays: ReadonlyMap<string, Hdf5Dataset>;
  /** Names of all arrays and groups, including unreadable ones. */
  readonly names: ReadonlySet<string>;
}

/**
 * Returns findings on a demonstration whose num_samples or array lengths contradict its actions, or whose arrays differ
 * from those of the other demonstrations.
 */
export function demoFindings(demo: DemoFacts, standard: DemoStandard): Finding[] {
  return [...countFindings(demo), ...lengthFindings(demo), ...standardFindings(demo, standard)];
}

function countFindings({ path, name, steps, num_samples, isIntegerCount }: DemoFacts): Finding[] {
  const at = `${path}: data/${name}`;
  if (num_samples === null)
    return [robomimicViolation('robomimic_num_samples_missing', path, `${at} has no attribute num_samples`)];
  if (!isIntegerCount) {
    const message = `${at} stores num_samples (${num_samples}) as a float`;
    return [robomimicViolation('robomimic_num_samples_type', path, message)];
  }
  const evidence = { declared: num_samples, found: steps };
  const statement = `${at} has num_samples=${num_samples}, but its actions have ${steps} rows`;
  if (num_samples < 1) return [robomimicViolation('robomimic_num_samples_zero', path, statement, evidence)];
  if (num_samples > steps)
    return [
      robomimicViolation(
        'robomimic_num_samples_over',
        path,
        `${statement}: robomimic fails when it reads past the last row`,
        evidence,
      ),
    ];
  if (num_samples === steps) return [];
  const unseen = `${statement}: the last ${steps - num_samples} rows are never used for training`;
  return [robomimicViolation('robomimic_num_samples_under', path, unseen, evidence)];
}

function lengthFindings({ path, name, steps, num_samples, arrays }: DemoFacts): Finding[] {
  const uneven = [...arrays].filter(([, { rows }]) => rows !== steps);
  const served = uneven.filter(([id]) => isServedArray(id));
  const short = served.filter(([, { rows }]) => rows < (num_samples ?? steps));
  const long = served.filter(([, { rows }]) => rows > steps);
  const others = uneven.filter(([id]) => !isServedArray(id));
  const describe = (selected: typeof uneven) => {
    const named = selected.slice(0, 4).map(([id, { rows }]) => `${id} ${rows}`);
    const evidence = {
      steps,
      arrays: Object.fromEntries(selected.slice(0, 20).map(([id, { rows }]) => [id, rows])),
    };
    const text = `${path}: data/${name} has ${steps} actions, but other arrays differ: ${named.join(', ')}${selected.length > 4 ? ', …' : ''}`;
    return [text, evidence] as const;
  };
  const findings: Finding[] = [];
  if (short.length > 0) findings.push(robomimicViolation('robomimic_array_short', path, ...describe(short)));
  if (long.length > 0) findings.push(robomimicViolation('robomimic_array_long', path, ...describe(long)));
  if (others.length > 0) {
    const [message, evidence] = describe(others);
    const advice = 'trim all arrays to the rows they share';
    findings.push({ code: 'array_length_mismatch', severity: 'error', path, message, advice, evidence });
  }
  return findings;
}

function standardFindings({ path, name, arrays, names }: DemoFacts, standard: DemoStandard): Finding[] {
  const findings: Finding[] = [];
  const missing = [...standard.arrays].filter((id) => !names.has(id));
  if (missing.length > 0)
    findings.push(
      robomimicViolation(
        'robomimic_array_missing',
        path,
        `${path}: data/${name} lacks arrays that the other demonstrations have: ${missing.slice(0, 4).join(', ')}`,
        { missing: missing.slice(0, 20) },
      ),
    );
  const other = [...arrays].filter(([id, { shape }]) => {
    const first = standard.shapes.get(id);
    return first !== undefined && first.join() !== shape.slice(1).join();
  });
  if (other.length > 0) {
    const listed = other
      .slice(0, 4)
      .map(
        ([id, { shape }]) =>
          `${id} ${shapeText(shape.slice(1))} instead of ${shapeText(standard.shapes.get(id)!)}`,
      );
    const message = `${path}: row shapes in data/${name} differ from the first demonstration: ${listed.join(', ')}`;
    findings.push(robomimicViolation('robomimic_shape_differs', path, message));
  }
  return findings;
}

const shapeText = (shape: readonly number[]): string =>
  shape.length === 0 ? 'one number' : shape.join(' x ');

/** Returns a finding if actions lie outside -1..1, which policies cannot output; else none. */
export function rangeFindings(
  { path, name }: Pick<DemoFacts, 'path' | 'name'>,
  streams: readonly Stream[],
): Finding[] {
  const values = streams.find(({ id }) => id === 'actions')?.series?.values ?? [];
  let [min, max] = [0, 0];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min >= -1 && max <= 1) return [];
  const evidence = { least: significant(min), most: significant(max) };
  const message = `${path}: actions in data/${name} range from ${min.toPrecision(4)} to ${max.toPrecision(4)}`;
  return [robomimicViolation('robomimic_actions_out_of_range', path, message, evidence)];
}

/** Outline of a demonstration by the names in it. */
export interface DemoOutline {
  readonly name: string;
  /** Rows of its actions; `null` if it has none that can be read. */
  readonly rows: number | null;
  readonly hasFlatActions: boolean;
  readonly members: ReadonlySet<string>;
  /** Names below obs. */
  readonly obs: ReadonlySet<string>;
}

/**
 * Reads the names and row count of a demonstration; `null` if the name is no group, and an empty outline if it cannot
 * be read.
 */
export async function readOutline(data: Hdf5Group, name: string): Promise<DemoOutline | null> {
  const empty = {
    name,
    rows: null,
    hasFlatActions: false,
    members: new Set<string>(),
    obs: new Set<string>(),
  };
  try {
    const demo = await data.group(name);
    if (demo === null) return null;
    const members = new Set((await demo.links()).keys());
    const actions = await nullIfUnreadable(demo.dataset('actions'));
    const obs = await nullIfUnreadable(demo.group('obs'));
    return {
      name,
      members,
      rows: actions?.rows ?? null,
      hasFlatActions: actions?.shape.length === 1,
      obs: new Set(obs === null ? [] : (await obs.links()).keys()),
    };
  } catch (thrown) {
    if (thrown instanceof AssayError) return empty;
    throw thrown;
  }
}

/** Properties that robomimic expects of every demonstration of a file. */
export interface DemoStandard {
  /** Arrays that at least half of the demonstrations hold: `obs/joint_pos`, `rewards`. */
  readonly arrays: ReadonlySet<string>;
  /** Shape of a row in the first demonstration, by array. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
}

/** Returns true if robomimic reads the array in training. */
const isServedArray = (id: string): boolean => /^(actions|rewards|dones)$|^obs\/[^/]+$/.test(id);

/**
 * Computes the arrays that at least half of the demonstrations have, of those that robomimic reads beside actions, and
 * the row shapes of the first demonstration with rows.
 */
export async function computeStandard(
  data: Hdf5Group,
  outlines: readonly DemoOutline[],
  path: string,
): Promise<DemoStandard> {
  const counts = new Map<string, number>();
  for (const { obs, members } of outlines) {
    const names = ['rewards', 'dones'].filter((name) => members.has(name));
    for (const id of [...[...obs].map((name) => `obs/${name}`), ...names])
      counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const common = [...counts].filter(([, count]) => 2 * count >= outlines.length);
  const first = outlines.find(({ rows }) => rows !== null);
  const demo = first === undefined ? null : await nullIfUnreadable(data.group(first.name));
  const arrays = demo === null ? [] : [...(await listArrays(demo, path)).arrays];
  return {
    arrays: new Set(common.map(([id]) => id)),
    shapes: new Map(arrays.flatMap(([id, { shape }]) => (isServedArray(id) ? [[id, shape.slice(1)]] : []))),
  };
}

import type { Hdf5Group } from '@assay/hdf5';
import { AssayError } from '#core';
import { orNull } from '../../../shared/hdf5-file.ts';
import { arraysBelow } from '../../../shared/step-arrays/file-arrays.ts';

/** What a demonstration holds, by its names alone. */
export interface DemoOutline {
  readonly name: string;
  /** Rows of its actions; null where it has none that can be read. */
  readonly rows: number | null;
  readonly hasFlatActions: boolean;
  readonly members: ReadonlySet<string>;
  /** Names below obs. */
  readonly obs: ReadonlySet<string>;
}

/** Null: the name leads to no group. */
export async function outlineOf(data: Hdf5Group, name: string): Promise<DemoOutline | null> {
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
    const actions = await orNull(demo.dataset('actions'));
    const obs = await orNull(demo.group('obs'));
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

/** What robomimic asks of every demonstration of a file. */
export interface DemoStandard {
  /** Arrays that at least half of the demonstrations hold: `obs/joint_pos`, `rewards`. */
  readonly arrays: ReadonlySet<string>;
  /** Shapes of a row in the first demonstration, by array. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
}

/** Whether robomimic reads the array when it trains. */
export const isServed = (id: string): boolean => /^(actions|rewards|dones)$|^obs\/[^/]+$/.test(id);

export async function standardOf(
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
  const demo = first === undefined ? null : await orNull(data.group(first.name));
  const arrays = demo === null ? [] : [...(await arraysBelow(demo, path)).arrays];
  return {
    arrays: new Set(common.map(([id]) => id)),
    shapes: new Map(arrays.flatMap(([id, { shape }]) => (isServed(id) ? [[id, shape.slice(1)]] : []))),
  };
}

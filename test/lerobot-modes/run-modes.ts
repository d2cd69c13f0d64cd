import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { assessSets, type Judged, judge, type Told } from './judge.ts';
import { askLoader, oracleOf, type Served } from './oracle.ts';
import type { PlannedSet } from './plan.ts';
import { writeSet } from './write-set.ts';

/** A set, what Assay and the real loader made of it, and how well its modes are told. */
export interface Tried {
  readonly planned: PlannedSet;
  readonly told: Told;
  readonly judged: readonly Judged[];
  /** Null where no loader was asked. */
  readonly served: Served | null;
}

/** Writes the sets below `folder`, assesses them together, and asks the real loader where its Python is given. */
export async function trySets(
  folder: string,
  sets: readonly PlannedSet[],
  python: string | undefined,
): Promise<Tried[]> {
  await mkdir(folder, { recursive: true });
  for (const { id, set } of sets) await writeSet(set, join(folder, id));
  const told = await assessSets(folder);
  const served = python === undefined ? null : await askLoader(oracleOf(python), folder, sets);
  return sets.map((planned) => {
    const own = told.get(planned.id);
    if (own === undefined) throw new Error(`Assay said nothing of ${planned.id}`);
    return { planned, told: own, judged: judge(planned, own), served: served?.get(planned.id) ?? null };
  });
}

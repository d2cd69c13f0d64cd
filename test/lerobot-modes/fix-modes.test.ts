import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { applyPlan, type FixPlan, planFixes, tidy, undoLast } from '#fixes';
import { treeHash } from '../support/tree-hash.ts';
import { cleanVariants } from './clean/index.ts';
import { fixedModes } from './fixed-modes.ts';
import { assessSets } from './judge.ts';
import { modes } from './modes/index.ts';
import { type PlannedSet, planClean, planModes, Studios } from './plan.ts';
import { unfixedModes } from './unfixed-modes.ts';
import { writeSet } from './write-set.ts';
import { type Version, versions } from './written-set.ts';

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-modes-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Sound sets whose tables differ; what differs in pictures alone is no matter here. */
const left = [
  'base',
  'float64',
  'extra_columns',
  'one_table_of_statistics',
  'last_file_of_one_episode',
  'several_texts',
  'names_as_object',
  'pooled_quantiles',
  'pictures_in_tables',
];

const optionsOf = (mode: string) => ({
  stamps: false,
  video: false,
  ...fixedModes.find((fixed) => fixed.mode === mode)?.options,
});

async function written(version: Version, sets: readonly PlannedSet[]): Promise<string> {
  const folder = join(scratch, version);
  for (const { id, set } of sets) await writeSet(set, join(folder, id));
  return folder;
}

/** Applies, keeps what came of it in `result`, and undoes; gives what would be fixed next. */
async function fixed(folder: string, mode: string, result: string): Promise<FixPlan> {
  const before = treeHash(folder);
  const options = optionsOf(mode);
  await applyPlan(await planFixes({ root: folder, only: null }, options), '2026-01-01T00:00:00Z');
  expect(treeHash(folder), mode).not.toBe(before);
  const next = await planFixes({ root: folder, only: null }, options);
  await cp(folder, result, { recursive: true });
  await undoLast(folder);
  await tidy(folder);
  expect(treeHash(folder), mode).toBe(before);
  return next;
}

it('every mode is mended, or has a reason why not', () => {
  const told = [...fixedModes.map(({ mode }) => mode), ...Object.keys(unfixedModes)];
  expect(told.toSorted()).toEqual(modes.map(({ id }) => id).toSorted());
});

describe.each(versions)('a LeRobot %s set', (version) => {
  const studios = new Studios();

  it('is named no more once it is fixed, and can be had back', { timeout: 600_000 }, async () => {
    const planned = fixedModes.flatMap(({ mode }) => {
      const own = modes.find(({ id }) => id === mode)!;
      return own.versions.includes(version) ? (planModes(mode, [own], version, 1, studios) ?? []) : [];
    });
    const folder = await written(version, planned);
    const results = join(scratch, `${version}-fixed`);
    for (const { id } of planned)
      expect((await fixed(join(folder, id), id, join(results, id))).changes, id).toEqual([]);
    const wrong = [...(await assessSets(results))].map(([id, { said, loads }]): [string, unknown[]] => {
      const still = fixedModes.find(({ mode }) => mode === id)?.still ?? [];
      const more = said.filter(({ severity, code }) => severity !== 'info' && !still.includes(code));
      return [id, loads?.loads === 'yes' ? more : [...more, loads]];
    });
    expect(Object.fromEntries(wrong.filter(([, said]) => said.length > 0))).toEqual({});
  });

  it('that is sound is left as it is', { timeout: 600_000 }, async () => {
    const sound = cleanVariants.filter(({ id, versions }) => left.includes(id) && versions.includes(version));
    const planned = sound.map((variant) => planClean(variant, version, 1, studios));
    const folder = await written(version, planned);
    for (const { id } of planned) {
      const plan = await planFixes({ root: join(folder, id), only: null }, { stamps: true, video: true });
      expect([plan.changes, plan.files, plan.unfixed], id).toEqual([[], [], []]);
    }
  });
});

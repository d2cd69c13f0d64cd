import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanVariants } from './clean/index.ts';
import { modes } from './modes/index.ts';
import { planClean, planModes, Studios } from './plan.ts';
import { trySets } from './run-modes.ts';
import { accusations } from './table.ts';
import { versions } from './written-set.ts';

/** Its own encoder takes most of the time: once will do. */
const slow = ['av1'];

const scratch = await mkdtemp(join(tmpdir(), 'assay-lerobot-modes-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe.each(versions)('a LeRobot %s set', (version) => {
  const studios = new Studios();

  it('spoiled in one way is named so', { timeout: 600_000 }, async () => {
    const planted = modes.filter(({ versions }) => versions.includes(version));
    const planned = planted.flatMap((mode) => planModes(mode.id, [mode], version, 1, studios) ?? []);
    const tried = await trySets(join(scratch, version), planned, undefined);
    const named = tried.flatMap(({ judged }) => judged.filter((one) => one.named).map(({ mode }) => mode));
    expect(named.toSorted()).toEqual(planted.map(({ id }) => id).toSorted());
  });

  it('that is sound is not accused', { timeout: 600_000 }, async () => {
    const left = version === 'v2.1' ? slow : [];
    const planned = cleanVariants
      .filter(({ id, versions }) => versions.includes(version) && !left.includes(id))
      .map((variant) => planClean(variant, version, 1, studios));
    const tried = await trySets(join(scratch, `${version}-clean`), planned, undefined);
    for (const one of tried) {
      expect(accusations(one), one.planned.id).toEqual([]);
      expect(new Set(Object.values(one.told.decisions)), one.planned.id).toEqual(new Set(['accept']));
    }
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanVariants } from '../lerobot-modes/clean/index.ts';
import { modes } from '../lerobot-modes/modes/index.ts';
import { isRefused } from '../lerobot-modes/oracle.ts';
import { planClean, planModes, Studios } from '../lerobot-modes/plan.ts';
import { type Tried, trySets } from '../lerobot-modes/run-modes.ts';
import { type Version, versions } from '../lerobot-modes/written-set.ts';

const python = process.env.ASSAY_LEROBOT_PYTHON;
const title = python
  ? 'what the real LeRobot loader does with spoiled sets'
  : 'what the real LeRobot loader does with spoiled sets (skipped: set ASSAY_LEROBOT_PYTHON)';

const scratch = await mkdtemp(join(tmpdir(), 'assay-lerobot-loader-'));

describe.skipIf(!python)(title, () => {
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  it.each(versions)('is what Assay says of them, %s', { timeout: 900_000 }, async (version) => {
    const tried = await tryAll(version, join(scratch, version));
    expect(tried.every(({ served }) => served !== null)).toBe(true);
    const disagreeing = tried.filter((one) => !agrees(one)).map(({ planned }) => planned.id);
    expect(disagreeing).toEqual([]);
  });
});

/** What the loader refuses, or serves wrongly, blocks and is said not to load; what it loads rightly is said to load. */
function agrees({ told, served }: Tried): boolean {
  if (served === null || told.loads === null) return false;
  const blocks = told.said.some(({ severity }) => severity === 'blocking');
  return isRefused(served) ? told.loads.loads === 'no' && blocks : told.loads.loads === 'yes';
}

function tryAll(version: Version, folder: string): Promise<Tried[]> {
  const studios = new Studios();
  const clean = cleanVariants.filter((variant) => variant.versions.includes(version));
  const spoiled = modes.filter((mode) => mode.versions.includes(version));
  const planned = [
    ...clean.map((variant) => planClean(variant, version, 1, studios)),
    ...spoiled.flatMap((mode) => planModes(mode.id, [mode], version, 1, studios) ?? []),
  ];
  return trySets(folder, planned, python);
}

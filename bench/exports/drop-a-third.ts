import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchOptions } from '../bench.ts';
import { measureProcess } from '../support/measured-process.ts';
import { twoCameraSet } from './two-camera-set.ts';

const root = join(import.meta.dirname, '../..');
const python = process.env.ASSAY_LEROBOT_PYTHON;
const least = 50;

/** Rows of an episode at 30 a second: short takes of three seconds, where starting is most of it, and usual ones of ten. */
const lengths = [100, 300] as const;

/** A third of the episodes dropped by `assay export`, and by LeRobot's own `delete_episodes`, which encodes what is left. */
export const dropAThirdBench: Bench = {
  id: 'export',
  title: 'A third of the episodes dropped from a LeRobot v3 set with two cameras of 640x480; whole processes',
  run: async (options) => {
    const figures: Record<string, unknown> = {};
    let passed = true;
    for (const rows of lengths) {
      const result = await dropAThird(rows, options);
      figures[`rows_${rows}`] = result.figures;
      passed &&= result.passed;
    }
    if (!python) options.print('  LeRobot: not measured (set ASSAY_LEROBOT_PYTHON to a Python that has it)');
    return { passed, figures };
  },
};

async function dropAThird(rows: number, { scratch, quick, print }: BenchOptions) {
  const episodes = quick ? 12 : 60;
  const set = await twoCameraSet(scratch, episodes, rows);
  const [ownOut, theirOut] = ['ours', 'theirs'].map((name) => join(scratch, `dropped-${name}`));
  const cache = join(scratch, 'export-cache');
  for (const folder of [ownOut, theirOut, cache]) rmSync(folder, { recursive: true, force: true });
  const all = Array.from({ length: episodes }, (_, index) => String(index));
  const dropped = all.filter((_, index) => index % 3 === 0);
  const kept = all.filter((_, index) => index % 3 !== 0);
  const assay = (...args: string[]) =>
    measureProcess(process.execPath, [join(root, 'bin/assay'), ...args, '--cache', cache]);
  const judging = await assay('assess', set);
  const ours = await assay('export', set, '--out', ownOut, '--only', ...kept);
  print(`  ${episodes} episodes of ${rows} frames: assay assess before it ${judging.wall_s.toFixed(2)} s`);
  print(`    assay export: ${ours.wall_s.toFixed(2)} s, ${Math.round(ours.peak_memory_mb ?? 0)} MB`);
  if (!python) return { passed: ours.exit_code === 0, figures: { judging, ours } };
  const script = join(import.meta.dirname, 'delete_episodes.py');
  const theirs = await measureProcess(python, [script, set, theirOut, ...dropped]);
  const faster = theirs.wall_s / ours.wall_s;
  const ratio = `${faster.toFixed(0)} times as fast (at least ${least} where takes are of the usual length)`;
  print(`    lerobot delete_episodes: ${theirs.wall_s.toFixed(1)} s; export is ${ratio}`);
  const enough = rows === lengths[0] || faster >= least;
  return {
    passed: ours.exit_code === 0 && theirs.exit_code === 0 && enough,
    figures: { judging, ours, theirs, faster },
  };
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { measureProcess } from '../support/measured-process.ts';
import { twoCameraSet } from './two-camera-set.ts';

const root = join(import.meta.dirname, '../..');
const python = process.env.ASSAY_LEROBOT_PYTHON;
const least = 50;

/** A third of the episodes dropped by `assay export`, and by LeRobot's own `delete_episodes`, which encodes what is left. */
export const dropAThirdBench: Bench = {
  id: 'export',
  title: 'A third of the episodes dropped from a LeRobot v3 set with two cameras of 640x480; whole processes',
  run: async (options) => {
    const episodes = options.quick ? 12 : 60;
    const set = await twoCameraSet(options.scratch, episodes);
    const dropped = Array.from({ length: episodes / 3 }, (_, index) => String(index * 3));
    const [ownOut, theirOut] = ['ours', 'theirs'].map((name) => join(options.scratch, `dropped-${name}`));
    for (const folder of [ownOut, theirOut]) rmSync(folder, { recursive: true, force: true });
    const kept = Array.from({ length: episodes }, (_, index) => String(index)).filter(
      (index) => !dropped.includes(index),
    );
    const cache = join(options.scratch, 'export-cache');
    rmSync(cache, { recursive: true, force: true });
    const assay = (...args: string[]) =>
      measureProcess(process.execPath, [join(root, 'bin/assay'), ...args, '--cache', cache]);
    const judging = await assay('assess', set);
    options.print(`  assay assess before it: ${judging.wall_s.toFixed(2)} s`);
    const ours = await assay('export', set, '--out', ownOut, '--only', ...kept);
    options.print(`  assay export: ${ours.wall_s.toFixed(2)} s, ${Math.round(ours.peak_memory_mb ?? 0)} MB`);
    if (!python) {
      options.print('  LeRobot: not measured (set ASSAY_LEROBOT_PYTHON to a Python that has it)');
      return { passed: ours.exit_code === 0, figures: { episodes, judging, ours } };
    }
    const script = join(import.meta.dirname, 'delete_episodes.py');
    const theirs = await measureProcess(python, [script, set, theirOut, ...dropped]);
    const faster = theirs.wall_s / ours.wall_s;
    options.print(
      `  lerobot delete_episodes: ${theirs.wall_s.toFixed(1)} s; export is ${faster.toFixed(0)} times as fast (at least ${least})`,
    );
    return {
      passed: ours.exit_code === 0 && theirs.exit_code === 0,
      figures: { episodes, ours, theirs, faster },
    };
  },
};

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { cameraSet } from '../exports/two-camera-set.ts';
import { measureProcess } from '../support/measured-process.ts';
import { camera, inRunLayers } from './in-run-layers.ts';

const root = join(import.meta.dirname, '../..');
const least = 1.7;
const episodes = 20;

/** Two workers beside one, on as many cores. Other work on the machine makes it say less than there is. */
export const laneWorkersBench: Bench = {
  id: 'lane-workers',
  title: `${inRunLayers.join(', ')} over ${episodes} episodes of 640x480, two workers beside one (at least ${least} times as fast)`,
  run: async (options) => {
    const set = await cameraSet(options.scratch, episodes, camera, options.quick ? 100 : 300);
    const walls: Record<1 | 2, number> = { 1: 0, 2: 0 };
    for (const workers of [1, 2] as const) {
      const out = join(options.scratch, 'lane-workers-out');
      rmSync(out, { recursive: true, force: true });
      const asked = [
        'annotate',
        set,
        '--layers',
        inRunLayers.join(),
        '--out',
        out,
        '--workers',
        `${workers}`,
      ];
      // One worker runs on one core.
      const bound = ['-c', workers === 1 ? '0' : '0,1', process.execPath, join(root, 'bin/assay'), ...asked];
      const { exit_code, wall_s } = await measureProcess('taskset', bound);
      if (exit_code !== 0) throw new Error(`annotate ended with ${exit_code}`);
      walls[workers] = wall_s;
      options.print(`  ${workers} worker${workers === 1 ? '' : 's'}: ${wall_s.toFixed(1)} s`);
    }
    const ratio = walls[1] / walls[2];
    options.print(`  two are ${ratio.toFixed(2)} times as fast (at least ${least})`);
    return { passed: ratio >= least, figures: { one_s: walls[1], two_s: walls[2], ratio } };
  },
};

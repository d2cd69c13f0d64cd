import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { medianCost } from '../support/measured-process.ts';
import { cameraSet } from './camera-set.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Episodes a second of `score_lerobot_episodes` on a set with one camera, measured once on a machine with two cores.
 * It is on no package registry, so it cannot run beside; its figure stands for it.
 */
const peerEpisodesPerSecond = 3.17;

/** Assess of a LeRobot v3 set with one 320x240 camera, against the figure of the peer that decodes it all. */
export const cameraBench: Bench = {
  id: 'camera',
  title: 'LeRobot v3 with one 320x240 camera (H.264), whole process',
  run: async (options) => {
    const episodes = options.quick ? 48 : 480;
    const set = await cameraSet(options, episodes);
    const ours = await medianCost(options.quick ? 1 : 3, process.execPath, [
      join(root, 'bin/assay'),
      'assess',
      set,
    ]);
    const rate = episodes / ours.wall_s;
    const memory = ours.peak_memory_mb === null ? 'unknown' : `${Math.round(ours.peak_memory_mb)} MB`;
    options.print(`  assess: ${rate.toFixed(0)} episodes/s (${ours.wall_s.toFixed(2)} s, ${memory})`);
    const faster = rate / peerEpisodesPerSecond;
    options.print(
      `  that is ${faster.toFixed(0)} times score_lerobot_episodes' 3.17 episodes/s (at least 30)`,
    );
    return { passed: ours.exit_code === 0, figures: { episodes, ours, rate, faster } };
  },
};

import { computeSkeleton } from '../../../src/apps/samples/teleop/arm.ts';
import { simulation_hz } from '../../../src/apps/samples/teleop/take.ts';
import type { CleanVariant } from '../mode.ts';

const names = ['dx', 'dy', 'dz', 'droll', 'dpitch', 'dyaw', 'gripper'];

/** Actions are the steps asked of the tool, its turn and the gripper open or shut. */
export const taskSpaceDeltas: CleanVariant = {
  id: 'task_space_deltas',
  versions: ['v2.1', 'v3.0'],
  record: ({ episodes, takes, fps }) => {
    episodes.forEach((episode, index) => {
      const { command } = takes[index];
      const asked = (row: number) => {
        const step = Math.round((row / fps) * simulation_hz) * 7;
        return command.subarray(step, step + 7);
      };
      const action = new Float32Array(episode.rows * names.length);
      for (let row = 0; row < episode.rows; row++) {
        const [from, to] = [asked(row), asked(row + 1)];
        const [start, end] = [computeSkeleton(from)[4], computeSkeleton(to)[4]];
        const moved = end.map((value, axis) => (value - start[axis]) * 20);
        action.set([...moved, 0, 0, (to[5] - from[5]) / 100, to[6] > 45 ? 1 : -1], row * names.length);
      }
      episode.action = action;
    });
  },
  lay: (set) => {
    set.info.features.action = { dtype: 'float32', shape: [names.length], names };
  },
};

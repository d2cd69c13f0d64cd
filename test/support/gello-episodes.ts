import { pickleBytes } from './pickle-file.ts';

const startMs = Date.UTC(2024, 4, 1, 12, 0, 0);

/** Returns the files of an episode of GELLO: a pickle per step at about 20 Hz, with a camera, by default of 16 × 12 px. */
export function gelloEpisode(
  folder: string,
  steps: number,
  [width, height]: readonly [number, number] = [16, 12],
  phase = 0,
): Record<string, Uint8Array> {
  return Object.fromEntries(
    Array.from({ length: steps }, (_, step) => {
      const joints = (lag: number) => ({
        descr: 'f8' as const,
        shape: [7],
        values: Float64Array.from({ length: 7 }, (_, joint) => Math.sin((step + lag + phase) / 9 + joint)),
      });
      // `isoformat` leaves out the fraction of whole seconds.
      const iso = new Date(startMs + step * 50 + ((step * 7) % 3))
        .toISOString()
        .replace('Z', '000')
        .replace(/\.000000$/, '');
      const rgb = Uint8Array.from(
        { length: height * width * 3 },
        (_, i) => (i * 7 + step * 11 + phase) % 251,
      );
      const depth = Uint16Array.from({ length: height * width }, (_, i) => 500 + i + step);
      return [
        `${folder === '' ? '' : `${folder}/`}${iso}.pkl`,
        pickleBytes({
          wrist_rgb: { descr: 'u1', shape: [height, width, 3], values: rgb },
          wrist_depth: { descr: 'u2', shape: [height, width, 1], values: depth },
          joint_positions: joints(0),
          joint_velocities: joints(5),
          ee_pos_quat: { descr: 'f8', shape: [7], values: new Float64Array(7) },
          gripper_position: { descr: 'f8', shape: [], values: Float64Array.of(step / steps) },
          control: joints(2),
        }),
      ];
    }),
  );
}

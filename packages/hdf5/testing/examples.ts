import type { WrittenArray, WrittenGroup } from './write-file.ts';

/** Numbers that move from row to row. */
function moving(rows: number, dims: number): WrittenArray {
  const values = Float32Array.from({ length: rows * dims }, (_, i) =>
    Math.sin(Math.floor(i / dims) / 7 + (i % dims)),
  );
  return { values, shape: [rows, dims] };
}

/** Pictures of 16 x 12 px in packed chunks of four. */
function pictures(rows: number): WrittenArray {
  const values = Uint8Array.from({ length: rows * 576 }, (_, i) => Math.floor(i / 576) + (i % 3));
  return { values, shape: [rows, 12, 16, 3], gzip_rows: 4 };
}

/** Every kind of value once. */
export const smallFile: WrittenGroup = {
  attributes: { text: 'some', number: 0.5, yes: true },
  arrays: {
    plain: { values: Float32Array.of(1, 2, 3, 4), shape: [4] },
    packed: { values: Int32Array.from({ length: 600 }, (_, i) => i), shape: [100, 6], gzip_rows: 16 },
  },
  texts: { names: ['a', 'bc'] },
  sequences: { pictures: [1, 2].map((row) => new Uint8Array(70 + row).fill(row)) },
};

/** Arrays in one piece beside packed pictures, two groups deep. */
export const armEpisode: WrittenGroup = {
  attributes: { sim: false },
  arrays: { action: moving(6, 14), base_action: moving(6, 2) },
  groups: {
    observations: {
      arrays: { qpos: moving(6, 14), qvel: moving(6, 14) },
      groups: { images: { arrays: { cam_high: pictures(6) } } },
    },
  },
};

/** Several groups with attributes, as collections of demonstrations are kept. */
export const demonstrations: WrittenGroup = {
  groups: {
    data: {
      attributes: { env_args: '{"env_name":"Lift"}', total: 6 },
      groups: {
        demo_0: {
          attributes: { num_samples: 6 },
          arrays: { actions: moving(6, 7), dones: { values: new Uint8Array(6), shape: [6] } },
          groups: { obs: { arrays: { joint_pos: moving(6, 7), view: pictures(6) } } },
        },
      },
    },
    mask: { texts: { train: ['demo_0'] } },
  },
};

import type { WrittenArray, WrittenGroup } from '@assay/hdf5/testing';

/** Rows of numbers that move, so that no check takes them for frozen. */
export function moving(rows: number, dims: number, scale = 1): WrittenArray {
  const values = Float32Array.from({ length: rows * dims }, (_, i) => {
    const row = Math.floor(i / dims);
    return scale * Math.sin(row / 7 + (i % dims));
  });
  return { values, shape: [rows, dims] };
}

/** Two arms whose grippers (dimensions 6 and 13) move between the ends given. */
function arms(rows: number, [low, high]: readonly [number, number]): WrittenArray {
  const array = moving(rows, 14);
  for (let row = 0; row < rows; row++) {
    for (const at of [6, 13]) array.values[row * 14 + at] = low + ((high - low) * row) / (rows - 1);
  }
  return array;
}

/** Pictures of 16 x 12 px, each of one colour. */
export function pixels(rows: number): WrittenArray {
  const values = Uint8Array.from(
    { length: rows * 12 * 16 * 3 },
    (_, i) => Math.floor(i / (12 * 16 * 3)) + (i % 3),
  );
  return { values, shape: [rows, 12, 16, 3], gzip_rows: 4 };
}

/** Bytes that start and end as a JPEG does, of a length of their own. */
export function jpegLike(row: number): Uint8Array {
  return Uint8Array.from([
    0xff,
    0xd8,
    0xff,
    0xe0,
    ...Array.from({ length: 70 + row }, () => row + 1),
    0xff,
    0xd9,
  ]);
}

/** An ALOHA episode; overrides go over its arrays. */
export function alohaEpisode(
  rows: number,
  {
    sim,
    gripper = [0, 1],
    images = { arrays: { cam_high: pixels(rows) } },
    arrays = {},
  }: {
    sim?: boolean;
    gripper?: readonly [number, number];
    images?: WrittenGroup;
    arrays?: WrittenGroup['arrays'];
  } = {},
): WrittenGroup {
  return {
    attributes: sim === undefined ? {} : { sim },
    arrays: { action: arms(rows, gripper), base_action: moving(rows, 2), ...arrays },
    groups: {
      observations: {
        arrays: { qpos: arms(rows, gripper), qvel: moving(rows, 14), effort: moving(rows, 14, 100) },
        groups: { images },
      },
    },
  };
}

/** Pictures as act-plus-plus packs them: rows as wide as the longest, zeros behind each, lengths in another array. */
export function paddedPictures(rows: number, width = 128): WrittenArray {
  const values = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row++) values.set(jpegLike(row), row * width);
  return { values, shape: [rows, width] };
}

/** A demonstration as robosuite gives it. */
export function demonstration(rows: number, over: WrittenGroup = {}): WrittenGroup {
  return {
    attributes: { num_samples: rows, ...over.attributes },
    arrays: {
      actions: moving(rows, 7),
      rewards: {
        values: Float32Array.from({ length: rows }, (_, i) => (i === rows - 1 ? 1 : 0)),
        shape: [rows],
      },
      dones: { values: Uint8Array.from({ length: rows }, (_, i) => (i === rows - 1 ? 1 : 0)), shape: [rows] },
      ...over.arrays,
    },
    groups: {
      obs: {
        arrays: {
          robot0_joint_pos: moving(rows, 7),
          robot0_gripper_qpos: moving(rows, 2, 0.04),
          agentview_image: pixels(rows),
        },
      },
      ...over.groups,
    },
  };
}

/** A robomimic file with the attributes of robosuite. */
export function robomimicFile(
  demos: Readonly<Record<string, WrittenGroup>>,
  over: { attributes?: WrittenGroup['attributes']; masks?: WrittenGroup['texts'] } = {},
): WrittenGroup {
  const env_args = JSON.stringify({
    env_name: 'Lift',
    type: 1,
    env_kwargs: { control_freq: 20, robots: ['Panda'], reward_shaping: false },
  });
  return {
    groups: {
      data: { attributes: { env_args, ...over.attributes }, groups: demos },
      ...(over.masks === undefined ? {} : { mask: { texts: over.masks } }),
    },
  };
}

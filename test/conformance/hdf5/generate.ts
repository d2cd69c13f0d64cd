/** Writes the inputs of the cases beside it: `node test/conformance/hdf5/generate.ts`. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hdf5File, type WrittenGroup } from '@assay/hdf5/testing';
import {
  alohaEpisode,
  demonstration,
  jpegLike,
  moving,
  paddedPictures,
  robomimicFile,
} from '../../support/hdf5-recordings.ts';

async function write(
  name: string,
  files: Readonly<Record<string, WrittenGroup | Uint8Array>>,
): Promise<void> {
  const folder = join(import.meta.dirname, name, 'input');
  await rm(folder, { recursive: true, force: true });
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content instanceof Uint8Array ? content : hdf5File(content));
  }
}

const rows = 12;
const lengths = Array.from({ length: rows }, (_, row) => jpegLike(row).length);
const compress_len = { values: Float64Array.from([...lengths, ...lengths]), shape: [2, rows] };
const compressed = { arrays: { cam_left_wrist: paddedPictures(rows), cam_high: paddedPictures(rows) } };

await write('aloha', {
  'episode_0.hdf5': alohaEpisode(rows, { sim: false }),
  'episode_7.hdf5': alohaEpisode(rows, { sim: false, images: compressed, arrays: { compress_len } }),
  'of-another-robot.hdf5': alohaEpisode(rows, { arrays: { action: moving(rows, 7) } }),
});

const ep_meta = JSON.stringify({ lang: 'lift the cube' });
await write('robomimic', {
  'low_dim.hdf5': robomimicFile(
    {
      demo_10: demonstration(8),
      demo_2: demonstration(6, { attributes: { ep_meta } }),
      demo_1: demonstration(5, { attributes: { num_samples: 7, success: false } }),
      demo_3: {},
    },
    { attributes: { total: 50 }, masks: { train: ['demo_2', 'demo_10'], valid: ['demo_1', 'demo_99'] } },
  ),
});

const marks = Uint8Array.from({ length: rows }, (_, row) => (row === 3 || row === 8 ? 1 : 0));
await write('d4rl', {
  'flat.hdf5': {
    arrays: {
      observations: moving(rows, 3),
      next_observations: moving(rows, 3),
      actions: moving(rows, 2),
      rewards: { ...moving(rows, 1), shape: [rows] },
      terminals: { values: new Uint8Array(rows), shape: [rows] },
      timeouts: { values: marks, shape: [rows] },
    },
  },
});

/** A packed chunk of pictures whose middle was lost. */
function overwritten(file: Buffer): Buffer {
  const at = file.indexOf(Buffer.of(0x78, 0x9c));
  return Buffer.from(file).fill(0x55, at + 10, at + 40);
}

const good = hdf5File(alohaEpisode(rows, { sim: true }));
await write('damaged', {
  '0.hdf5': good,
  '1-cut-off.hdf5': good.subarray(0, 900),
  '2-camera-outside.hdf5': alohaEpisode(rows, { sim: true, images: { external: { cam: '/etc/passwd' } } }),
  '3-other-layout.hdf5': { groups: { master: { arrays: { joint_position: moving(rows, 7) } } } },
  '4-overwritten.hdf5': overwritten(good),
});

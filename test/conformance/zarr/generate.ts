/** Writes the inputs of the cases beside it: `node test/conformance/zarr/generate.ts`. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import { type ArrayInput, type Files, replayFiles, writeFiles, zipBytes } from '../../support/zarr-files.ts';

const rows = 24;
const ends = [10, rows];
const wave = (i: number) => Math.sin(i / 5);
const side = 8;
const frame = side * side * 3;

const state: ArrayInput = {
  ...{ shape: [rows, 5], chunks: [7, 5], values: wave },
  ...{ compressor: { id: 'zlib', level: 1 }, pack: (chunk) => deflateSync(chunk) },
};
const action: ArrayInput = {
  ...{ shape: [rows, 2], chunks: [7, 2], values: wave },
  ...{ compressor: { id: 'zstd', level: 1 }, pack: (chunk) => zstdCompressSync(chunk) },
};
const img: ArrayInput = {
  ...{
    shape: [rows, side, side, 3],
    chunks: [5, side, side, 3],
    dtype: '|u1',
    values: (i) => Math.floor(i / frame) * 9 + (i % 7),
  },
  ...{ compressor: { id: 'zlib', level: 9 }, pack: (chunk) => deflateSync(chunk, { level: 9 }) },
};

async function write(name: string, files: Files): Promise<void> {
  const folder = join(import.meta.dirname, name, 'input');
  await rm(folder, { recursive: true, force: true });
  await writeFiles(folder, files);
}

await write('pusht', replayFiles({ state, action, img }, ends));

const holed = replayFiles({ state, action }, [10, 10, 40]);
holed.delete('data/state/1.0');
holed.set('data/action/0.0', Buffer.from('no zstd'));
holed.set('.zmetadata', Buffer.from('{"metadata":{},"zarr_consolidated_format":1}'));
await write('holes', holed);

const umi = replayFiles(
  {
    robot0_eef_pos: { shape: [rows, 3], values: wave },
    robot0_eef_rot_axis_angle: { shape: [rows, 3], values: wave },
    robot0_gripper_width: { shape: [rows, 1], values: (i) => i / 400 },
    robot0_demo_start_pose: { shape: [rows, 6], dtype: '<f8', values: () => 1 },
    camera0_rgb: {
      ...{ shape: [rows, side, side, 3], chunks: [1, side, side, 3], dtype: '|u1' },
      ...{ compressor: { id: 'imagecodecs_jpegxl' }, pack: () => Buffer.from([0xff, 0x0a, 1, 2, 3]) },
    },
  },
  ends,
);
const members = [...umi].map(([name, bytes]) => ({ name, bytes, deflate: name.includes('gripper') }));
await write('umi-zip', new Map([['dataset.zarr.zip', zipBytes(members)]]));

const real = replayFiles(
  {
    timestamp: { shape: [rows], dtype: '<f8', values: (i) => 1.7e9 + i / 10 },
    action,
    robot_eef_pose: { ...state, shape: [rows, 6], chunks: [7, 6] },
  },
  ends,
);
await write('real-robot', new Map([...real].map(([name, bytes]) => [`replay_buffer.zarr/${name}`, bytes])));

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync } from 'node:zlib';
import { type DiscoveredDataset, discover, readers } from '#formats';
import { type Encoding, encodeVideo } from '../support/encode-video.ts';
import { gelloEpisode } from '../support/gello-episodes.ts';
import { generatedPictures } from '../support/generated-pictures.ts';
import { packLz4Frame } from '../support/lz4-frame.ts';
import { json, jsonChannel, mcapBytes, type TestFile } from '../support/mcap-files.ts';
import { movingPicture } from '../support/moving-picture.ts';
import { writeSetInto } from '../support/write-lerobot.ts';
import { addArray, type Files } from '../support/zarr-files.ts';
import { codecs } from './codecs.ts';

/** A good recording, small enough to be read thousands of times. */
export interface Seed {
  readonly format: string;
  readonly name: string;
  /** Contents by path, `/`-separated. */
  readonly files: ReadonlyMap<string, Buffer>;
}

type WriteSeed = (folder: string) => Promise<void>;

/** Size limits of real recordings, because larger ones take too long to be read thousands of times. */
const recorded_bytes = { beside_others: 300_000, alone: 4_000_000 };
const recordedAtMost = 6;
const recorded = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/**
 * Seeds beside the inputs of `test/conformance/<format>` and the recordings in `../shared/data`, which need no row here.
 * A name is the format, and behind a colon what is special.
 */
const makers: Readonly<Record<string, WriteSeed>> = {
  'lerobot:v2': (folder) => writeSetInto(folder, { layout: 'v2', rows: 12 }),
  'lerobot:v3': (folder) => writeSetInto(folder, { rows: 12, files: 2 }),
  'lerobot:v3-camera': (folder) => writeSetInto(folder, { rows: 8, cameras: ['observation.images.top'] }),
  'mapped:csv': writeMapped,
  'mapped:gello': (folder) => writeFiles(folder, gelloEpisode('0501_120000', 4)),
  'mapped:zarr': writeMappedZarr,
  'kitti-raw:drive': writeDrive,
  'mcap:plain': (folder) => writeMcap(folder, { chunkSize: 300 }),
  'mcap:no-chunks': (folder) => writeMcap(folder, { useChunks: false }),
  'mcap:zstd': (folder) => writeMcap(folder, { chunkSize: 300, compressChunk: inZstd }),
  'mcap:lz4': (folder) => writeMcap(folder, { chunkSize: 300, compressChunk: inLz4 }),
  'pictures:folder': (folder) => generatedPictures(folder, 3),
  'coco:instances': (folder) => writeCoco(folder),
  'coco:box-outside': (folder) => writeCoco(folder, 110),
  'videos:mp4': (folder) => writeVideo(folder, 'a.mp4', { b_frames: 2, options: {} }),
  'videos:fragments': (folder) =>
    writeVideo(folder, 'a.mp4', { muxer: { movflags: 'frag_keyframe+empty_moov' } }),
  'videos:matroska': (folder) => writeVideo(folder, 'a.mkv', { container: 'matroska' }),
  'videos:avi': (folder) => writeVideo(folder, 'a.avi', { encoder: 'mpeg4', container: 'avi', options: {} }),
};

const inZstd = (data: Uint8Array) => ({ compression: 'zstd', compressedData: zstdCompressSync(data) });
const inLz4 = (data: Uint8Array) => ({ compression: 'lz4', compressedData: packLz4Frame(data) });

/** Every seed of a format or codec; throws for one that is not read as that format and without an error. */
export async function seedsOf(format: string): Promise<Seed[]> {
  if (Object.hasOwn(codecs, format)) return codecSeeds(format);
  const mended = fixTarget(format);
  if (mended !== null) return seedsOf(mended);
  const seeds: Seed[] = [];
  const work = await mkdtemp(join(tmpdir(), 'assay-seeds-'));
  try {
    for (const [name, write] of Object.entries(makers)) {
      if (name.split(':')[0] !== format) continue;
      const folder = join(work, name.replace(':', '-'));
      await mkdir(folder);
      await write(folder);
      await demandFormat(folder, format);
      seeds.push({ format, name, files: filesBelow(folder) });
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  seeds.push(...conformanceSeeds(format));
  const most_bytes = seeds.length > 0 ? recorded_bytes.beside_others : recorded_bytes.alone;
  return [...seeds, ...(await recordedSeeds(format, most_bytes))];
}

/** Formats that `assay fix` mends; as targets `fix/lerobot` and so on. */
const mendedFormats = ['lerobot', 'mcap', 'rosbag', 'coco'] as const;

/** The format that a target mends; null where it reads. */
export function fixTarget(target: string): string | null {
  return mendedFormats.find((format) => target === `fix/${format}`) ?? null;
}

/** Formats of the registry, in its order, the codecs of `packages/`, and what mends. */
export const formatIds: readonly string[] = [
  ...readers.rows.map(({ id }) => id),
  ...Object.keys(codecs),
  ...mendedFormats.map((format) => `fix/${format}`),
];

function codecSeeds(format: string): Seed[] {
  return [...codecs[format].seeds()].map(([name, bytes]) => ({
    ...{ format, name: `${format}:${name}`, files: new Map([[name, bytes]]) },
  }));
}

async function demandFormat(folder: string, format: string): Promise<void> {
  const { datasets } = await discover(folder);
  for (const { dataset } of datasets) await dataset.close();
  const found = datasets.map(({ recognition }) => recognition.format);
  if (!found.includes(format))
    throw new Error(`the seed ${folder} is read as ${found.join()}, not ${format}`);
}

function conformanceSeeds(format: string): Seed[] {
  const place = fileURLToPath(new URL(`../conformance/${format}/`, import.meta.url));
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === 'input')
    .map(({ parentPath }) => ({
      format,
      name: `${format}:${parentPath.slice(place.length)}`,
      files: filesBelow(join(parentPath, 'input')),
    }))
    .filter(({ files }) => files.size > 0);
}

/** Returns the smaller files of each dataset of a format in `../shared/data`; empty if that folder is missing. */
async function recordedSeeds(format: string, most_bytes: number): Promise<Seed[]> {
  const seeds: Seed[] = [];
  for (const { path, recognition, dataset } of await recordedDatasets()) {
    if (recognition.format !== format || dataset.units.length === 0) continue;
    const files = filesBelow(join(recorded, path), recognition.files, most_bytes);
    const seed = { format, name: `${format}:${path}`, files };
    if (await isReadAs(seed, format)) seeds.push(seed);
  }
  return seeds.sort((a, b) => bytesOf(a) - bytesOf(b)).slice(0, recordedAtMost);
}

async function isReadAs({ files }: Seed, format: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-seeds-'));
  try {
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    const { datasets } = await discover(folder);
    for (const { dataset } of datasets) await dataset.close();
    return datasets.some(
      ({ recognition, dataset }) => recognition.format === format && dataset.units.length > 0,
    );
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true });
  }
}

let found: Promise<readonly DiscoveredDataset[]> | null = null;

/** Listed and opened once. */
function recordedDatasets(): Promise<readonly DiscoveredDataset[]> {
  found ??= existsSync(recorded) ? discover(recorded).then(({ datasets }) => datasets) : Promise.resolve([]);
  return found;
}

const bytesOf = ({ files }: Seed): number => [...files.values()].reduce((sum, { length }) => sum + length, 0);

/** Every file under a folder, by path; of more than `most_bytes` the smaller ones. */
export function filesBelow(
  folder: string,
  only: readonly string[] | null = null,
  most_bytes = Number.POSITIVE_INFINITY,
): Map<string, Buffer> {
  const paths = only ?? (readdirSync(folder, { recursive: true }) as string[]);
  const sizes = paths
    .map((path) => ({ path, info: statSync(join(folder, path)) }))
    .filter(({ info }) => info.isFile())
    .sort((a, b) => a.info.size - b.info.size);
  let total_bytes = 0;
  const kept = sizes
    .filter(({ info }) => {
      total_bytes += info.size;
      return total_bytes <= most_bytes;
    })
    .map(({ path }) => path);
  return new Map(
    kept.sort().map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path))] as const),
  );
}

async function writeMcap(folder: string, options: NonNullable<TestFile['options']>): Promise<void> {
  const messages = Array.from({ length: 40 }, (_, i) => ({
    channel: i % 2,
    log_ns: BigInt(i) * 33_000_000n,
    data: json(
      i % 2 === 0 ? { position: [i, 2, 3], name: ['x', 'y', 'z'] } : { task: 'pick', gripper: i / 40 },
    ),
  }));
  const channels = [jsonChannel('/joint_states'), jsonChannel('/arm')];
  const file = { channels, messages, metadata: { m: { task: 't' } }, options };
  await writeFile(join(folder, 'a.mcap'), await mcapBytes(file));
}

async function writeMappedZarr(folder: string): Promise<void> {
  const files: Files = new Map([['a.zarr/.zgroup', Buffer.from('{"zarr_format":2}')]]);
  addArray(files, 'a.zarr/q', { shape: [12, 2], chunks: [5, 1], dtype: '<f8', order: 'F' });
  addArray(files, 'a.zarr/cam', { shape: [12, 8, 8, 3], chunks: [4, 8, 8, 3], dtype: '|u1' });
  const streams = '[{ id: q, role: state, columns: [q] }]';
  const mapping = `assay_map: 1\nepisodes: { folder: a.zarr }\nrate_hz: 10\nstreams: ${streams}\nvideos: [{ id: cam, column: cam }]\n`;
  files.set('assay.map.yaml', Buffer.from(mapping));
  await writeFiles(folder, Object.fromEntries(files));
}

async function writeMapped(folder: string): Promise<void> {
  const mapping = `assay_map: 1
episodes: {files: 'data/{episode}.csv'}
clocks: [{column: t, unit: s}]
streams:
  - {id: state, role: state, columns: [a, b], unit: rad}
  - {id: action, role: action, columns: [c]}
task: {column: task}
`;
  const rows = Array.from({ length: 20 }, (_, i) => `${i / 10},${i},${i * i},${20 - i},"pick, place"`);
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'assay.map.yaml'), mapping);
  await writeFile(join(folder, 'data/run.csv'), ['t,a,b,c,task', ...rows].join('\r\n'));
}

async function writeFiles(folder: string, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}

async function writeDrive(folder: string): Promise<void> {
  const drive = join(folder, '2011_09_26/2011_09_26_drive_0009_sync');
  const packet = Array.from({ length: 30 }, (_, i) => (i < 25 ? i + 0.5 : i)).join(' ');
  const times = Array.from({ length: 4 }, (_, i) => `2011-09-26 13:02:25.${i}00000000`).join('\n');
  for (const sensor of ['oxts', 'velodyne_points']) {
    await mkdir(join(drive, sensor, 'data'), { recursive: true });
    await writeFile(join(drive, sensor, 'timestamps.txt'), `${times}\n`);
    for (let i = 0; i < 4; i++) {
      const body = sensor === 'oxts' ? packet : new Uint8Array(64);
      await writeFile(
        join(drive, sensor, 'data', `000000000${i}.${sensor === 'oxts' ? 'txt' : 'bin'}`),
        body,
      );
    }
  }
}

async function writeCoco(folder: string, x = 4): Promise<void> {
  await generatedPictures(folder, 2);
  const images = [0, 1].map((id) => ({ id, file_name: `picture_${id}.jpg`, width: 128, height: 96 }));
  const annotations = [0, 1, 2].map((id) => ({
    ...{
      id,
      image_id: id % 2,
      category_id: 1,
      bbox: [id === 0 ? x : 4 + id, 8, 30, 20],
      area: 600,
      iscrowd: 0,
    },
    segmentation: [[4, 8, 34, 8, 34, 28, 4, 28]],
  }));
  const set = { images, annotations, categories: [{ id: 1, name: 'cube', supercategory: '' }] };
  await writeFile(join(folder, '_annotations.coco.json'), JSON.stringify(set));
}

async function writeVideo(folder: string, name: string, encoding: Partial<Encoding> = {}): Promise<void> {
  const fast = { encoder: 'libx264', container: 'mp4', options: { preset: 'ultrafast' } } as const;
  await encodeVideo(join(folder, name), 64, 48, movingPicture(64, 48, 12), { ...fast, ...encoding });
}

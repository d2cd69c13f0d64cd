import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assess } from '#engine/local';
import { type ByteStore, openSourceTree } from '#io/sources';
import { encodeVideo, x264 } from '#test/support/encode-video';
import { folderStore } from '#test/support/folder-store';
import { temporaryFolder, writeSet } from '#test/support/lerobot-set';
import { json, jsonChannel, mcapBytes } from '#test/support/mcap-files';
import { movingPicture } from '#test/support/moving-picture';
import { discover } from './discover.ts';

const conformance = join(import.meta.dirname, '../../../test/conformance');
const inputOf = (name: string): Buffer => {
  const folder = join(conformance, name, 'input');
  return readFileSync(join(folder, readdirSync(folder)[0]));
};
const mcap = () =>
  mcapBytes({
    channels: [jsonChannel('/a')],
    messages: [1, 2, 3].map((at) => ({ channel: 0, log_ns: BigInt(at) * 10n ** 9n, data: json({ at }) })),
  });

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const found = async (folder: string) =>
  (await discover(folder)).datasets.map(({ path, recognition }) => [
    path,
    recognition.format,
    recognition.files,
  ]);

/** A folder of which some files and one folder may not be read. */
function closing(folder: string, files: readonly string[], below?: string): ByteStore {
  const store = folderStore(folder);
  const shut = new Set(files);
  const list = async () => {
    const { files: all, single } = await store.list();
    const left = all.filter(({ path }) => below === undefined || !path.startsWith(`${below}/`));
    const message = `${below} may not be read by this user`;
    const finding = { code: 'folder_not_permitted', severity: 'warning', message, advice: '' } as const;
    return {
      single,
      files: left.map((file) => (shut.has(file.path) ? { ...file, closed: true as const } : file)),
      findings: below === undefined ? [] : [{ ...finding, path: below }],
    };
  };
  const open = async (path: string) => {
    if (shut.has(path)) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    return store.open(path);
  };
  return { ...store, list, open };
}

describe('what a file holds', () => {
  it('decides inside folders as well, whatever its name says', async () => {
    const folder = await folderWith({
      'rec.mp4': inputOf('rosbag/plain'),
      'a.dat': await mcap(),
      'b.mcap': await mcap(),
      'flight/log.txt': inputOf('dataflash/text'),
      'notes.txt': 'nothing',
    });
    expect(await found(folder)).toEqual([
      ['', 'mcap', ['a.dat', 'b.mcap']],
      ['', 'rosbag', ['rec.mp4']],
      ['', 'dataflash', ['flight/log.txt']],
    ]);
    const { findings } = await discover(folder);
    expect(findings.filter(({ code }) => code === 'name_misleads').map(({ path }) => path)).toEqual([
      'a.dat',
      'rec.mp4',
      'flight/log.txt',
    ]);
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('is looked at in no more than the first bytes of files that their names leave open', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}.dat`, 'x'.repeat(9000)]));
    const folder = await folderWith({
      'a.mcap': await mcap(),
      'notes.md': 'x',
      'table.csv': 'a\n',
      ...files,
    });
    const store = folderStore(folder);
    let bytes = 0;
    const opened: string[] = [];
    const counting = {
      ...store,
      open: async (path: string) => {
        const file = await store.open(path);
        opened.push(path);
        const read: typeof file.read = async (into, offset, length, position) => {
          const done = await file.read(into, offset, length, position);
          if (path.startsWith('x')) bytes += done.bytesRead;
          return done;
        };
        return { read, close: () => file.close(), [Symbol.asyncDispose]: () => file.close() };
      },
    };
    await discover(counting);
    expect(bytes).toBeLessThanOrEqual(30 * 4096);
    expect(opened.filter((path) => path === 'notes.md')).toEqual([]);
  });
});

describe('what cannot be read', () => {
  it('for want of permission is told as that', async () => {
    const folder = await folderWith({ 'a.mcap': await mcap(), 'b.txt': 'x' });
    const store = folderStore(folder);
    const closed = {
      ...store,
      open: async (path: string) => {
        if (path !== 'a.mcap') return store.open(path);
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      },
    };
    await expect(discover(closed)).rejects.toMatchObject({
      code: 'not_permitted',
      message: expect.stringContaining('a.mcap cannot be read: permission denied'),
    });
  });

  it('of a set is told as that too, since it would look missing', async () => {
    const store = folderStore(await writeSet({ layout: 'v2', episodes: 1 }));
    const message = 'videos may not be read by this user';
    const closed = { code: 'folder_not_permitted', severity: 'warning', path: 'videos', message } as const;
    const list = async () => ({ ...(await store.list()), findings: [{ ...closed, advice: '' }] });
    await expect(discover({ ...store, list })).rejects.toMatchObject({
      code: 'not_permitted',
      message: 'no permission to read videos, so the dataset was not assessed',
    });
  });

  it.each([
    ['zarr/pusht', 'data/action/0.0'],
    ['zarr/pusht', 'data/.zgroup'],
    ['comma2k19/route', 'Chunk_1/b0c9d2329ad1606b_2018-08-02--08-34-47/9/video.hevc'],
    ['rlds/two-shards', 'features.json'],
    ['rosbag2/split', 'bag/bag_10.db3'],
    ['droid/lab', 'AUTOLab/failure/2023-07-07/Fri_Jul__7_12_00_00_2023/metadata_x.json'],
  ])('of %s is told as that for a file: %s', async (name, path) => {
    await expect(discover(closing(join(conformance, name, 'input'), [path]))).rejects.toMatchObject({
      code: 'not_permitted',
      message: `no permission to read ${path}, so the dataset was not assessed`,
      advice: expect.stringContaining('chmod'),
    });
  });

  it.each([
    ['zarr/pusht', 'data/img'],
    ['comma2k19/route', 'Chunk_1/b0c9d2329ad1606b_2018-08-02--08-34-47/9/global_pose'],
    ['agibot/two-tasks', 'proprio_stats/327'],
    ['yolo/boxes', 'labels'],
    ['nuscenes/sweeps-lost', 'v1.0-mini'],
    ['nuscenes/sweeps-lost', 'sweeps'],
  ])('of %s is told as that for a folder: %s', async (name, path) => {
    await expect(discover(closing(join(conformance, name, 'input'), [], path))).rejects.toMatchObject({
      code: 'not_permitted',
      message: expect.stringContaining(`no permission to read ${path}, so the dataset was not assessed`),
    });
  });

  it('is told beside what can be, where recordings are files', async () => {
    const folder = await folderWith({ 'a.mcap': await mcap(), 'map.yaml': 'x', 'README.md': 'x' });
    const { datasets, findings } = await discover(closing(folder, ['map.yaml', 'README.md'], 'private'));
    expect(datasets).toHaveLength(1);
    expect(findings.filter(({ severity }) => severity !== 'info')).toMatchObject([
      { code: 'folder_not_permitted', path: 'private' },
      { code: 'file_not_permitted', path: 'map.yaml', advice: expect.stringContaining('chmod') },
    ]);
  });

  it('costs a LeRobot set only the episodes that it belongs to, but for metadata', async () => {
    const set = await writeSet({ layout: 'v2', episodes: 2 });
    const { datasets } = await discover(closing(set, ['data/chunk-000/episode_000001.parquet']));
    expect(datasets).toHaveLength(1);
    await expect(discover(closing(set, ['meta/info.json']))).rejects.toMatchObject({ code: 'not_permitted' });
  });

  it('as a pointer of Git LFS is told once, with the command that fetches it', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
    const names = Array.from({ length: 7 }, (_, at) => `take${at}.bag`);
    const folder = await folderWith(Object.fromEntries(names.map((name) => [name, pointer])));
    await expect(discover(folder)).rejects.toMatchObject({
      message: expect.stringContaining('7 files are Git LFS pointers'),
      advice: expect.stringContaining('git lfs pull'),
    });
    writeFileSync(join(folder, 'a.mcap'), await mcap());
    const { findings } = await discover(folder);
    const told = findings.filter(({ code }) => code === 'lfs_pointer');
    expect(told).toHaveLength(1);
    expect(told[0].advice).toContain('git lfs pull');
  });

  it('as it is empty is told as that, whatever its name', async () => {
    await expect(discover(await folderWith({ take: '', 'take.dat': '' }))).rejects.toMatchObject({
      message: expect.stringContaining('2 files are empty (0 bytes): take, take.dat'),
      advice: expect.stringContaining('copy them again'),
    });
  });

  it('is told in a line, without the list of all formats', async () => {
    const thrown = await discover(await folderWith({ 'a.txt': 'x' })).catch((error: unknown) => error);
    expect(thrown).toHaveProperty('advice', expect.stringContaining('docs/formats.md'));
    expect(thrown).toHaveProperty('advice.length', expect.any(Number));
    expect((thrown as { advice: string }).advice.length).toBeLessThan(250);
  });

  it('of a set whose folder is called video is told with the name that it must have', async () => {
    const camera = 'observation.images.top';
    const folder = await writeSet({ layout: 'v2', episodes: 2, cameras: [camera] });
    renameSync(join(folder, 'videos'), join(folder, 'video'));
    const { datasets } = await discover(folder);
    const missing = datasets[0].dataset.findings.find(({ code }) => code === 'videos_missing');
    expect(missing?.message).toContain('rename it to videos/');
  });
});

describe('a link', () => {
  it('to a file of the same folder is read, also for its video; one that leads out is refused with what to do', async () => {
    const camera = 'observation.images.top';
    const set = await writeSet({ layout: 'v2', episodes: 1, rows: 20, cameras: [camera] });
    const outside = await temporaryFolder();
    const frames = movingPicture(64, 48, 20);
    await encodeVideo(join(outside, 'blob'), 64, 48, frames, { ...x264, rate_hz: 10 });
    const root = await temporaryFolder();
    mkdirSync(join(root, 'blobs'));
    copyFileSync(join(outside, 'blob'), join(root, 'blobs/one'));
    renameSync(set, join(root, 'set'));
    const video = join(root, `set/videos/chunk-000/${camera}/episode_000000.mp4`);
    const receiptOf = async () => {
      const result = await assess(root, { receipts: true, workers: 1 });
      const [receipt] = [...result.receipts()];
      await result.close();
      return JSON.parse(receipt);
    };
    rmSync(video);
    copyFileSync(join(root, 'blobs/one'), video);
    const copied = await receiptOf();
    rmSync(video);
    symlinkSync('../../../../blobs/one', video);
    expect(existsSync(video)).toBe(true);
    expect(await receiptOf()).toEqual(copied);
    rmSync(video);
    symlinkSync(join(outside, 'blob'), video);
    const { findings } = await openSourceTree(root);
    expect(findings).toMatchObject([{ code: 'link_outside', advice: expect.stringContaining('cp -rL') }]);
  });
});

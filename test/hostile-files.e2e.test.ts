import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { discover } from '#formats';
import type { FuzzAnswer } from './fuzz/fuzz-child.ts';
import { FuzzRunner } from './fuzz/fuzz-runner.ts';
import { type Outcome, readAll } from './fuzz/read-all.ts';
import { seedsOf } from './fuzz/seeds.ts';
import { runAssay } from './run-assay.ts';
import { packLz4Frame } from './support/lz4-frame.ts';
import { json, jsonChannel, mcapBytes } from './support/mcap-files.ts';
import { rounds } from './support/tiers.ts';

const top = mkdtempSync(join(tmpdir(), 'assay-hostile-'));
const runner = new FuzzRunner({ time_s: 60, heap_mb: 512 });
afterAll(async () => {
  await runner.close();
  rmSync(top, { recursive: true });
});

type Files = Readonly<Record<string, string | Uint8Array>>;

let made = 0;
function folder(files: Files): string {
  const root = join(top, `set${made++}`);
  mkdirSync(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** Reads in a process with limits on time and heap. */
async function read(files: Files): Promise<FuzzAnswer> {
  const answer = await runner.read({
    files: new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)])),
  });
  if ('ended' in answer) throw new Error(`${answer.ended}: ${answer.why}`);
  expect(answer.faults).toEqual([]);
  return answer;
}

/** A good LeRobot set with some files put in place of its own. */
async function lerobotWith(files: Files): Promise<Record<string, Uint8Array | string>> {
  const seeds = await seedsOf('lerobot');
  const { files: good } = seeds.find(({ name }) => name === 'lerobot:v2')!;
  return { ...Object.fromEntries(good), ...files };
}

const infoOf = async (): Promise<Record<string, unknown>> => {
  const files = await lerobotWith({});
  return JSON.parse(Buffer.from(files['meta/info.json']).toString());
};

const said = ({ findings, errors }: Outcome): readonly string[] => [...findings, ...errors];

describe('what is not what its name says', () => {
  const text = 'these are the notes of Tuesday\n';
  it.each(['a.mcap', 'a.mp4', 'a.jpg', 'a.bag', 'a.db3', 'a.hdf5', 'a.parquet', 'a.ulg'])(
    'text called %s is named',
    async (name) => {
      const outcome = await read({ [name]: text });
      expect(outcome.episodes).toBe(0);
      expect(said(outcome).length).toBeGreaterThan(0);
    },
  );

  it.each(['a.mcap', 'a.mp4', 'a.jpg', 'a.bag', 'a.db3', 'a.hdf5', 'a.ulg'])(
    'no bytes called %s are named',
    async (name) => {
      const outcome = await read({ [name]: '', 'README.md': text });
      expect(outcome.episodes).toBe(0);
      expect(said(outcome).length).toBeGreaterThan(0);
    },
  );
});

describe('JSON', () => {
  it('with NaN and Infinity is read, and said to be so', async () => {
    const stats = '{"action": {"min": [NaN], "max": [Infinity], "mean": [-Infinity]}}';
    expect((await read(await lerobotWith({ 'meta/stats.json': stats }))).findings).toContain(
      'nonstandard_json',
    );
  });

  it.each(['meta/info.json', 'meta/stats.json', 'meta/episodes.jsonl', 'meta/tasks.jsonl'])(
    'nested 200,000 deep in %s costs that file at most',
    async (path) => {
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      const answer = await read(await lerobotWith({ [path]: deep }));
      expect(answer.episodes === 3 || said(answer).length > 0).toBe(true);
    },
  );

  it('nested 200,000 deep as a COCO file is refused', async () => {
    const deep = `{"images": ${'['.repeat(200_000)}${']'.repeat(200_000)}, "annotations": [], "categories": []}`;
    expect(said(await read({ '_annotations.coco.json': deep })).length).toBeGreaterThan(0);
  });

  it('with absurd sizes and counts asks for no memory', async () => {
    const info = await infoOf();
    const features = { ...(info.features as object), huge: { dtype: 'float32', shape: [2 ** 40, 2 ** 40] } };
    for (const change of [
      { features },
      { total_episodes: 1e15, total_frames: 1e300 },
      { chunks_size: 0 },
      { fps: 1e-300 },
      { fps: -30 },
    ]) {
      const answer = await read(
        await lerobotWith({ 'meta/info.json': JSON.stringify({ ...info, ...change }) }),
      );
      expect(answer.peak_mb).toBeLessThan(500);
    }
  });
});

describe('a decompression bomb', () => {
  const zeros = Buffer.alloc(400e6);
  const bombs: [string, (data: Uint8Array) => { compression: string; compressedData: Uint8Array }][] = [
    ['zstd', () => ({ compression: 'zstd', compressedData: zstdCompressSync(zeros) })],
    ['lz4', () => ({ compression: 'lz4', compressedData: packLz4Frame(zeros.subarray(0, 4e6)) })],
    ['gzip', () => ({ compression: 'gzip', compressedData: gzipSync(zeros) })],
  ];
  it.each(bombs)(
    'in a chunk of an MCAP, %s, is not unpacked past what it declares',
    async (_, compressChunk) => {
      const messages = Array.from({ length: 20 }, (_, i) => ({
        ...{ channel: 0, log_ns: BigInt(i) * 10_000_000n, data: json({ x: i }) },
      }));
      const bytes = await mcapBytes({ channels: [jsonChannel('/a')], messages, options: { compressChunk } });
      const answer = await read({ 'a.mcap': bytes });
      expect(said(answer)).toContain('chunk_unreadable');
      expect(answer.peak_mb).toBeLessThan(500);
    },
  );
});

describe('names that lead out of the folder', () => {
  const secret = 'somebody else reads this';
  it('are not followed from the tables of a LeRobot set', async () => {
    const outside = folder({ 'secret.txt': secret });
    const away = `../${outside.slice(top.length + 1)}/secret.txt`;
    const info = await infoOf();
    for (const change of [{ data_path: away }, { video_path: away }, { data_path: '/etc/passwd' }]) {
      const root = folder(await lerobotWith({ 'meta/info.json': JSON.stringify({ ...info, ...change }) }));
      expect((await readAll(root)).faults).toEqual([]);
    }
  });

  it('are not followed from a COCO file', async () => {
    const root = folder({
      '_annotations.coco.json': JSON.stringify({
        images: ['../../../../etc/passwd', '/etc/passwd', 'a\u0000b.jpg', '..'].map((file_name, id) => ({
          ...{ id, file_name, width: 4, height: 4 },
        })),
        annotations: [],
        categories: [{ id: 1, name: 'cube' }],
      }),
    });
    const outcome = await readAll(root);
    expect(outcome).toMatchObject({ episodes: 0, faults: [] });
    expect(said(outcome).length).toBeGreaterThan(0);
  });

  it('are not followed from a mapping', async () => {
    const mapping = (files: string) =>
      `assay_map: 1\nepisodes: {files: '${files}'}\nclocks: [{column: t, unit: s}]\nstreams: [{id: s, role: state, columns: [a]}]\n`;
    for (const files of ['../{episode}.csv', '/etc/{episode}', '{episode}/../../../x.csv']) {
      const outcome = await readAll(folder({ 'assay.map.yaml': mapping(files), 'a.csv': 't,a\n0,1\n' }));
      expect(outcome).toMatchObject({ episodes: 0, faults: [] });
      expect(said(outcome).length).toBeGreaterThan(0);
    }
  });

  it('are links that are not followed either, and links that turn in a circle end', async () => {
    const outside = folder({ 'b/secret.jpg': secret });
    const root = folder({ 'a/notes.txt': 'x' });
    symlinkSync(join(outside, 'b'), join(root, 'out'));
    symlinkSync(join(outside, 'b/secret.jpg'), join(root, 'a/out.jpg'));
    symlinkSync(root, join(root, 'a/loop'));
    symlinkSync('self', join(root, 'a/self'));
    await expect(discover(root)).rejects.toMatchObject({ code: 'not_recognised' });
    const sound = (await seedsOf('mcap'))[0].files.get('a.mcap')!;
    writeFileSync(join(root, 'a.mcap'), sound);
    const { findings, datasets } = await discover(root);
    expect(findings.map(({ code, path }) => [code, path])).toEqual(
      expect.arrayContaining([
        ['link_outside', 'out'],
        ['link_outside', 'a/out.jpg'],
        ['link_loop', 'a/loop'],
        ['link_broken', 'a/self'],
      ]),
    );
    expect(datasets).toHaveLength(1);
  });
});

describe('a folder', () => {
  const folders = rounds(10, 100);
  it(`of ${folders * 1000} files is listed, and what is sound in it read`, async () => {
    // Disks take a minute to make them.
    const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assay-many-'));
    const names = Array.from({ length: 1000 }, (_, i) => `${i}.txt`);
    for (let i = 0; i < folders; i++) {
      mkdirSync(join(root, `d${i}`));
      execFileSync('touch', names, { cwd: join(root, `d${i}`) });
    }
    writeFileSync(join(root, 'a.mcap'), (await seedsOf('mcap'))[0].files.get('a.mcap')!);
    const outcome = await readAll(root);
    rmSync(root, { recursive: true });
    expect(outcome).toMatchObject({ episodes: 1, faults: [], errors: [] });
    expect(outcome.findings.filter((code) => code === 'files_beside')).toHaveLength(1);
  }, 120_000);

  it('nested 60 deep is read as deep as the limit', async () => {
    const root = folder({
      [`${'d/'.repeat(60)}a.jpg`]: 'x',
      'a.mcap': (await seedsOf('mcap'))[0].files.get('a.mcap')!,
    });
    expect((await readAll(root)).findings).toContain('folder_too_deep');
  });

  it('with names that are no UTF-8, that break lines or paint the terminal costs no other file', async () => {
    const root = folder({ 'a.mcap': (await seedsOf('mcap'))[0].files.get('a.mcap')! });
    const sound = (await seedsOf('mcap'))[0].files.get('a.mcap')!;
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.mcap')]),
      sound,
    );
    writeFileSync(join(root, 'two\nlines.mcap'), sound);
    writeFileSync(join(root, 'red\u001b[31m\u0007.mcap'), 'text');
    const outcome = await readAll(root);
    expect(outcome.faults).toEqual([]);
    expect(outcome.episodes).toBe(2);
    expect(outcome.findings).toEqual(expect.arrayContaining(['file_vanished', 'file_misnamed']));
    const ran = await runAssay(['assess', root]);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('red\\u001b[31m\\u0007.mcap');
    for (const control of ['\u001b', '\u0007']) expect(ran.out).not.toContain(control);
    expect(ran.out).not.toContain('two\nlines');
  });
});

it('leaves no temporary file', () => {
  expect(readdirSync(top).filter((name) => !name.startsWith('set'))).toEqual([]);
});

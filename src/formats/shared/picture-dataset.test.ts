import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#core';
import { readEverything } from '#test/support/read-dataset';

const top = mkdtempSync(join(tmpdir(), 'assay-picture-sets-'));
afterAll(() => rmSync(top, { recursive: true }));

let jpeg = Buffer.alloc(0);
beforeAll(async () => {
  jpeg = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#487' } })
    .jpeg()
    .toBuffer();
});

let made = 0;
/** Writes a folder from paths and contents; `null` stands for a whole picture. */
function folder(files: Readonly<Record<string, string | Buffer | null>>): string {
  const root = join(top, `set${made++}`);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content ?? jpeg);
  }
  return root;
}

async function readOne(files: Readonly<Record<string, string | Buffer | null>>) {
  const { sets, findings } = await readEverything(folder(files));
  expect(sets).toHaveLength(1);
  return { ...sets[0], beside: findings };
}

describe('a folder of pictures', () => {
  it('gives one episode a picture, without time, with the hash of its file', async () => {
    const { format, episodes, evidence } = await readOne({
      'b.jpg': null,
      'a/c.png': null,
      'README.md': 'words',
    });
    expect(format).toBe('pictures');
    expect(evidence).toEqual(['2 image files; detected by their first bytes: JPEG']);
    expect(episodes.map((episode) => [episode.id, episode.index])).toEqual([
      ['a/c.png', 0],
      ['b.jpg', 1],
    ]);
    const [, episode] = episodes;
    expect(episode.sources).toEqual([
      { path: 'b.jpg', bytes: jpeg.length, sha256: sha256(jpeg), role: 'image' },
    ]);
    expect(episode).toMatchObject({ duration_s: 0, start_ns: null, labels: null, tasks: null });
    expect(episode.streams).toHaveLength(1);
    expect(episode.streams[0]).toMatchObject({
      role: 'camera',
      modality: 'image',
      clocks: [],
      clock: null,
      sample_count: 1,
      frames: { locator: { type: 'image-files', paths: ['b.jpg'] } },
    });
  });

  it('keeps broken pictures as episodes and takes pictures without an extension by their bytes', async () => {
    const { episodes } = await readOne({
      'good.jpg': null,
      'empty.jpg': '',
      'text.png': 'not a picture',
      nameless: null,
      LICENSE: 'some words about rights',
    });
    expect(episodes.map((episode) => episode.id)).toEqual(['empty.jpg', 'good.jpg', 'nameless', 'text.png']);
  });

  it('is not recognised by names alone', async () => {
    const root = folder({ 'a.jpg': 'words', 'b.png': '' });
    await expect(readEverything(root)).rejects.toMatchObject({ code: 'not_recognised' });
  });

  it('takes folders that hold pictures for classes, below splits too, and deeper ones not', async () => {
    const flat = await readOne({ 'cat/1.jpg': null, 'dog/1.jpg': null, 'dog/2.jpg': null });
    expect(flat.episodes.map((episode) => episode.labels?.[0].category)).toEqual(['cat', 'dog', 'dog']);
    const split = await readOne({ 'train/cat/1.jpg': null, 'train/dog/1.jpg': null, 'val/cat/2.jpg': null });
    expect(split.episodes.map((episode) => episode.labels?.[0].category)).toEqual(['cat', 'dog', 'cat']);
    for (const files of [
      { 'images/1.jpg': null, 'images/2.jpg': null },
      { 'a/1.jpg': null, 'b/deep/1.jpg': null },
      { 'cat/1.jpg': null, '2.jpg': null },
      { 'train/1.jpg': null, 'test/1.jpg': null },
    ]) {
      const { episodes } = await readOne(files);
      expect(episodes.every((episode) => episode.labels === null)).toBe(true);
    }
  });

  it('reads a thousand pictures in units of some hundreds', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1100 }, (_, i) => [`${String(i).padStart(5, '0')}.jpg`, null]),
    );
    const { episodes } = await readOne(files);
    expect(episodes).toHaveLength(1100);
    expect(episodes.every((episode, i) => episode.index === i)).toBe(true);
  });
});

describe('metadata files beside pictures', () => {
  const line = (row: object) => `${JSON.stringify(row)}\r\n`;

  it('give labels, boxes and captions, in JSON lines and in CSV', async () => {
    const { episodes, findings } = await readOne({
      'train/1.jpg': null,
      'train/2.jpg': null,
      'train/metadata.jsonl':
        line({
          file_name: '1.jpg',
          text: 'a green tile',
          objects: { bbox: [[1, 2, 3, 4]], categories: ['tile'] },
        }) + line({ file_name: '2.jpg', label: 3 }),
      'test/3.jpg': null,
      'test/metadata.csv': 'file_name,label,text\n3.jpg,tile,"a tile, green"\n',
    });
    expect(findings).toEqual([]);
    const by = Object.fromEntries(episodes.map((episode) => [episode.id, episode]));
    expect(by['train/1.jpg'].labels).toEqual([{ category: 'tile', box_px: [1, 2, 3, 4] }]);
    expect(by['train/1.jpg'].events).toEqual([
      { time_s: 0, label: 'a green tile', source: 'train/metadata.jsonl' },
    ]);
    expect(by['train/2.jpg'].labels).toEqual([{ category: '3', box_px: null }]);
    expect(by['test/3.jpg'].events[0].label).toBe('a tile, green');
    expect(by['test/3.jpg'].sources[1]).toMatchObject({ path: 'test/metadata.csv', role: 'annotation' });
  });

  it('that list what is absent, leave out what is there, or point outside are findings', async () => {
    const { findings, episodes } = await readOne({
      'a.jpg': null,
      'b.jpg': null,
      'metadata.jsonl':
        line({ file_name: 'a.jpg' }) +
        line({ file_name: 'gone.jpg' }) +
        line({ file_name: '../x.jpg' }) +
        '{broken\n',
    });
    expect(episodes).toHaveLength(2);
    expect(findings.map((finding) => [finding.code, finding.severity])).toEqual([
      ['pictures_absent', 'error'],
      ['metadata_path_refused', 'error'],
      ['pictures_unlisted', 'warning'],
      ['metadata_rows_broken', 'error'],
    ]);
    expect(findings[0].message).toContain('gone.jpg');
  });

  it('above split folders are named, since loaders ignore them', async () => {
    const { findings } = await readOne({
      'train/a.jpg': null,
      'test/b.jpg': null,
      'metadata.jsonl': line({ file_name: 'train/a.jpg' }) + line({ file_name: 'test/b.jpg' }),
    });
    expect(findings.map((finding) => finding.code)).toEqual(['metadata_above_splits']);
  });
});

const images = '../shared/data/images';
describe.skipIf(!existsSync(images))('real sets of pictures (needs ../shared/data/images)', () => {
  it('every broken picture still gives an episode or a finding', async () => {
    for (const name of ['bad-pillow', 'bad-image-rs']) {
      const entries = readdirSync(join(images, name), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).length;
      const { sets, findings } = await readEverything(join(images, name));
      const episodes = sets.reduce((sum, set) => sum + set.episodes.length, 0);
      const named = findings.map((finding) => Number(/^(\d+) files/.exec(finding.message)?.[1] ?? 1));
      expect(episodes).toBeGreaterThan(0.85 * files);
      expect(episodes + named.reduce((a, b) => a + b, 0)).toBe(files);
    }
  });
});

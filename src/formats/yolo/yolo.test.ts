import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEverything } from '#test/support/read-dataset';

const top = mkdtempSync(join(tmpdir(), 'assay-yolo-'));
afterAll(() => rmSync(top, { recursive: true }));

const picture = () => sharp({ create: { width: 200, height: 100, channels: 3, background: '#487' } });
let jpeg = Buffer.alloc(0);
beforeAll(async () => {
  jpeg = await picture().jpeg().toBuffer();
});

type Files = Readonly<Record<string, string | Uint8Array | null>>;
const yaml = 'path: .\ntrain: images/train\nval: images/val\nnames:\n  0: cat\n  1: dog\n';

let made = 0;
/** null: a picture. */
async function readAll(files: Files) {
  const root = join(top, `set${made++}`);
  for (const [path, body] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), body ?? jpeg);
  }
  return (await readEverything(root)).sets;
}

async function read(files: Files) {
  const sets = await readAll(files);
  expect(sets.map(({ format }) => format)).toEqual(['yolo']);
  return sets[0];
}

/** A set of one picture that is beyond doubt, and one with these lines. */
const withLines = (lines: string, config = yaml) =>
  read({
    'data.yaml': config,
    'images/train/a.jpg': null,
    'images/val/b.jpg': null,
    'labels/train/a.txt': '0 0.5 0.5 0.2 0.4\n',
    'labels/val/b.txt': lines,
  });

const codesOf = async (lines: string, config?: string) =>
  (await withLines(lines, config)).findings.map(({ code }) => code);
const labelsOf = async (lines: string, config?: string) =>
  (await withLines(lines, config)).episodes[1].labels;

describe('a YOLO set', () => {
  it('gives one episode a picture with its boxes in pixels, its size and its label file as a source', async () => {
    const set = await withLines('1 0.5 0.5 0.2 0.4\n0 0.1 0.25 0.2 0.5\n');
    expect(set).toMatchObject({ findings: [], declared_episodes: 2 });
    expect(set.episodes.map(({ id }) => id)).toEqual(['images/train/a.jpg', 'images/val/b.jpg']);
    const [, b] = set.episodes;
    expect(b.labels).toEqual([
      { category: 'dog', box_px: [80, 30, 40, 40] },
      { category: 'cat', box_px: [0, 0, 40, 50] },
    ]);
    expect(b.streams[0].frames?.declared_size_px).toEqual([200, 100]);
    expect(b.sources.map(({ path, role }) => [path, role])).toEqual([
      ['images/val/b.jpg', 'image'],
      ['labels/val/b.txt', 'annotation'],
    ]);
  });

  it.each([
    ['a polygon', '0 0.1 0.2 0.5 0.2 0.3 0.6\n', [20, 20, 80, 40]],
    ['a turned box', '0 0.1 0.2 0.5 0.1 0.6 0.4 0.2 0.5\n', [20, 10, 100, 40]],
  ])('has the box around %s', async (_, line, box) => {
    const [label] = (await labelsOf(line))!;
    expect(label.box_px?.map((value) => Math.round(value))).toEqual(box);
  });

  it.each([
    ['kpt_shape: [2, 3]', '0 0.5 0.5 0.2 0.4 0.4 0.4 2 0.6 0.6 0\n', []],
    ['kpt_shape: [2, 2]', '0 0.5 0.5 0.2 0.4 0.4 0.4 0.6 0.6\n', []],
    ['kpt_shape: [3, 3]', '0 0.5 0.5 0.2 0.4 0.4 0.4 2 0.6 0.6 0\n', ['yolo_keypoints_other']],
    ['kpt_shape: [2, 3]', '0 0.5 0.5 0.2 0.4 0.4 1.4 2 0.6 0.6 0\n', ['yolo_coordinates_outside']],
  ])('of poses with %s', async (shape, line, codes) => {
    expect(await codesOf(line, `${yaml}${shape}\n`)).toEqual(codes);
  });

  it.each([
    ['a list', 'names: [cat, dog]\nnc: 2\ntrain: images/train\nval: images/val\n', []],
    [
      'a list of another length',
      'names: [cat, dog]\nnc: 3\ntrain: images\nval: images\n',
      ['yolo_class_count_differs'],
    ],
    ['no names', 'nc: 2\ntrain: images\nval: images\n', ['yolo_names_missing']],
    ['lists of folders', 'names: [cat, dog]\ntrain: [images/train, images/val]\nval: images/val\n', []],
    [
      'the place it once had',
      'path: /home/me/sets\nnames: [a, b]\ntrain: C:\\x\\images\\train\nval: ../images/val\n',
      [],
    ],
    [
      'a folder that is not there',
      'names: [a, b]\ntrain: images\nval: images\ntest: pictures/test\n',
      ['yolo_test_absent'],
    ],
    ['a split left out', 'names: [a, b]\ntrain: images/train\nval: images/train\n', ['pictures_unlisted']],
    ['no YAML at all', 'names: [a\nb: {', ['yolo_yaml_unreadable', 'yolo_names_missing']],
    ['an anchor bomb', 'a: &a [x]\nnames: [*a, *a]\n', ['yolo_yaml_unreadable', 'yolo_names_missing']],
  ])('described with %s', async (_, config, codes) => {
    expect(await codesOf('1 0.5 0.5 0.2 0.4\n', config)).toEqual(codes);
  });

  it('listed in text files names pictures that are not there', async () => {
    const set = await read({
      'data.yaml': 'names: [cat]\ntrain: train.txt\nval: images\n',
      'train.txt': './images/a.jpg\nC:\\sets\\images\\b.jpg\r\nimages/gone.jpg\n\n',
      'images/a.jpg': null,
      'images/b.jpg': null,
      'labels/a.txt': '0 0.5 0.5 0.2 0.4\n',
      'labels/b.txt': '0 0.5 0.5 0.2 0.4\n',
    });
    expect(set.findings).toMatchObject([{ code: 'pictures_absent', evidence: { listed: 3, absent: 1 } }]);
    expect(set.declared_episodes).toBe(2);
  });

  it.each<[string, Files]>([
    [
      'split first, as Roboflow writes it',
      {
        'data.yaml': 'train: ../train/images\nval: ../train/images\nnames: [cat]\n',
        'train/images/a.jpg': null,
        'train/labels/a.txt': '0 0.5 0.5 0.2 0.4',
      },
    ],
    [
      'without data.yaml',
      { 'classes.txt': 'cat\ndog\n', 'images/a.jpg': null, 'labels/a.txt': '0 0.5 0.5 0.2 0.4' },
    ],
    [
      'beside the pictures',
      { 'obj.names': 'cat\r\n\r\n', 'obj/a.jpg': null, 'obj/a.txt': '0 0.5 0.5 0.2 0.4' },
    ],
    [
      'below a folder called images',
      {
        'data.yaml': 'names: [cat]\ntrain: images\nval: images\n',
        'images/set/images/a.jpg': null,
        'images/set/labels/a.txt': '0 0.5 0.5 0.2 0.4',
      },
    ],
  ])('laid out %s', async (_, files) => {
    const set = await read(files);
    expect(set.findings).toEqual([]);
    expect(set.episodes.map(({ labels }) => labels)).toEqual([
      [{ category: 'cat', box_px: [80, 30, 40, 40] }],
    ]);
  });

  it('with many splits of many folders is resolved in one look at its files', async () => {
    const far = Array.from({ length: 20_000 }, (_, i) => `far/away/part${i}`);
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`images/train/${i}.jpg`, null]));
    const set = await read({
      'data.yaml': `names: [cat]\ntrain: ${JSON.stringify([...far, `${'up/'.repeat(20_000)}images/train`])}\nval: images\n`,
      ...files,
      'labels/train/0.txt': '0 0.5 0.5 0.2 0.4\n',
    });
    expect(set.declared_episodes).toBe(200);
    const absent = set.findings.filter(({ code }) => code === 'yolo_split_absent');
    expect(absent.map(({ message }) => message)).toEqual([
      'data.yaml names 20000 paths for train (far/away/part0, far/away/part1, far/away/part2, …), which are not in this folder',
    ]);
  });

  it('takes pictures without labels for background and says how many there are', async () => {
    const set = await read({
      'data.yaml': 'names: [cat]\ntrain: images\nval: images\n',
      'images/a.jpg': null,
      'images/b.jpg': null,
      'images/c.jpg': null,
      'labels/a.txt': '0 0.5 0.5 0.2 0.4',
      'labels/b.txt': '',
      'labels/lost.txt': '0 0.5 0.5 0.2 0.4',
    });
    expect(set.findings).toMatchObject([
      { code: 'yolo_background', severity: 'info', evidence: { pictures: 3, without_file: 1, empty: 1 } },
      { code: 'yolo_labels_without_picture', evidence: { files: 1 } },
    ]);
    expect(set.episodes.map(({ labels }) => labels?.length)).toEqual([1, 0, 0]);
  });

  it('with pictures turned by EXIF says that their labels may mean either', async () => {
    const turned = await picture().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const set = await read({
      'data.yaml': 'names: [cat]\ntrain: images\nval: images\n',
      'images/a.jpg': turned,
      'labels/a.txt': '0 0.5 0.5 0.2 0.4',
    });
    expect(set.findings).toMatchObject([
      { code: 'yolo_pictures_turned', evidence: { looked: 1, turned: 1 } },
    ]);
    expect(set.episodes[0].findings).toMatchObject([
      { code: 'picture_turned', evidence: { orientation: 6 } },
    ]);
    expect(set.episodes[0].streams[0].frames?.declared_size_px).toEqual([200, 100]);
  });

  it.each(['png', 'webp', 'gif'] as const)('knows the size of %s pictures', async (format) => {
    const bytes = await picture().toFormat(format).toBuffer();
    const set = await read({
      'data.yaml': 'names: [cat]\ntrain: images\nval: images\n',
      [`images/a.${format}`]: bytes,
      'labels/a.txt': '0 0.5 0.5 0.2 0.4',
    });
    expect(set.episodes[0].labels).toEqual([{ category: 'cat', box_px: [80, 30, 40, 40] }]);
  });

  it('of pictures that are none has labels without boxes', async () => {
    const set = await read({
      'data.yaml': 'names: [cat]\ntrain: images\nval: images\n',
      'images/a.jpg': Buffer.from([0xff, 0xd8, 0xff]),
      'labels/a.txt': '0 0.5 0.5 0.2 0.4',
    });
    expect(set.episodes[0].labels).toEqual([{ category: 'cat', box_px: null }]);
  });

  it('is not taken from texts beside pictures', async () => {
    const files = {
      'images/a.jpg': null,
      'labels/a.txt': 'a cat on a mat',
      'b.jpg': null,
      'b.txt': '1 2 3 4 5',
    };
    expect((await readAll(files)).map(({ format }) => format)).toEqual(['pictures']);
  });
});

describe('lines of YOLO labels', () => {
  it.each([
    ['beyond the picture', '0 0.9 0.5 1.2 0.4', 'coordinates_outside'],
    ['below zero', '0 -0.1 0.5 0.2 0.4', 'coordinates_outside'],
    ['in pixels', '0 120 80 40 40', 'coordinates_pixels'],
    ['twice', '0 0.5 0.5 0.2 0.4\n0  0.5 0.5 0.2 0.4', 'line_twice'],
    ['of a class that is not listed', '2 0.5 0.5 0.2 0.4', 'class_unknown'],
    ['of half a class', '0.5 0.5 0.5 0.2 0.4', 'class_malformed'],
    ['of a negative class', '-1 0.5 0.5 0.2 0.4', 'class_malformed'],
    ['of words', 'cat 0.5 0.5 0.2 0.4', 'line_malformed'],
    ['of three numbers', '0 0.5 0.5 0.2', 'line_malformed'],
    ['without area', '0 0.5 0.5 0 0.4', 'box_empty'],
    ['with a confidence', '0 0.5 0.5 0.2 0.4 0.97', 'confidence'],
    ['of an odd outline', '0 0.1 0.1 0.5 0.1 0.3 0.6 0.2', 'polygon_odd'],
    ['of a box among outlines', '0 0.1 0.1 0.5 0.1 0.3 0.6\n0 0.5 0.5 0.2 0.4', 'box_among_polygons'],
    ['that end in CR LF', '0 0.5 0.5 0.2 0.4\r\n1 0.5 0.5 0.2 0.4\r\n', 'line_ends_crlf'],
    ['with NaN', '0 nan 0.5 0.2 0.4', 'line_malformed'],
  ])('%s are counted and named', async (_, lines, kind) => {
    const { findings } = await withLines(lines);
    const found = findings.find(({ code }) => code === `yolo_${kind}`);
    expect(found).toMatchObject({ evidence: { count: 1 } });
    expect(found?.message).toContain(kind === 'line_ends_crlf' ? 'labels/val/b.txt' : 'labels/val/b.txt:');
  });

  it('of boxes in some files and outlines in others are said to be mixed', async () => {
    expect(await codesOf('0 0.1 0.1 0.5 0.1 0.3 0.6\n')).toEqual(['yolo_labels_mixed']);
  });

  it('that are bad cost only themselves', async () => {
    expect(await labelsOf('cat\n\ufeff\n1 0.5 0.5 0.2 0.4\n7 0.5 0.5 0.2 0.4')).toEqual([
      { category: 'dog', box_px: [80, 30, 40, 40] },
      { category: '', box_px: [80, 30, 40, 40] },
    ]);
  });

  it('with a byte order mark, class as a float and numbers in any form are read', async () => {
    expect(await labelsOf('\ufeff1.0 5e-1 .5 0.2 +0.4')).toEqual([
      { category: 'dog', box_px: [80, 30, 40, 40] },
    ]);
  });
});

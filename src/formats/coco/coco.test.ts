import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEverything } from '#test/support/read-dataset';

const top = mkdtempSync(join(tmpdir(), 'assay-coco-'));
afterAll(() => rmSync(top, { recursive: true }));

let jpeg = Buffer.alloc(0);
beforeAll(async () => {
  jpeg = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#487' } })
    .jpeg()
    .toBuffer();
});

const image = (id: number | string, file_name: string) => ({ id, file_name, width: 64, height: 48 });
const box = (id: number | string, image_id: number | string, rest: object = {}) => ({
  id,
  image_id,
  category_id: 1,
  bbox: [4, 5, 10, 12],
  area: 120,
  iscrowd: 0,
  ...rest,
});
const categories = [{ id: 1, name: 'hand' }];

let made = 0;
async function read(files: Readonly<Record<string, object | string | null>>) {
  const root = join(top, `set${made++}`);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(root, path), content === null ? jpeg : text);
  }
  const { sets } = await readEverything(root);
  return sets;
}

async function codesOf(annotations: readonly object[], images: readonly object[] = [image(1, 'a.jpg')]) {
  const [set] = await read({ 'a.jpg': null, 'annotations.json': { images, annotations, categories } });
  return set.findings.map((finding) => finding.code);
}

describe('a COCO set', () => {
  it('gives one episode a picture with its boxes, its size and the annotation file as a source', async () => {
    const [set] = await read({
      'a.jpg': null,
      'b.jpg': null,
      'annotations.json': {
        images: [image(7, 'a.jpg'), image('x', 'b.jpg')],
        annotations: [box(1, 7), box(2, 7, { bbox: [0, 0, 64, 48] })],
        categories,
      },
    });
    expect(set).toMatchObject({ format: 'coco', findings: [], declared_episodes: 2 });
    const [a, b] = set.episodes;
    expect(a.labels).toEqual([
      { category: 'hand', box_px: [4, 5, 10, 12] },
      { category: 'hand', box_px: [0, 0, 64, 48] },
    ]);
    expect(a.streams[0].frames?.declared_size_px).toEqual([64, 48]);
    expect(a.sources.map((source) => source.role)).toEqual(['image', 'annotation']);
    expect(b.labels).toEqual([]);
  });

  it.each([
    ['beside the pictures of a split', 'train/_annotations.coco.json', 'train/a.jpg', 'a.jpg'],
    [
      'in annotations/, pictures in images/<split>/',
      'annotations/instances_train.json',
      'images/train/a.jpg',
      'a.jpg',
    ],
    ['in annotations/ with a year', 'annotations/instances_val2017.json', 'val2017/a.jpg', 'a.jpg'],
    ['with folders in its names', 'annotations/all.json', 'left/a.jpg', 'left/a.jpg'],
    ['with names of a place that is no more', 'coco.json', 'deep/down/a.jpg', 'C:\\data\\a.jpg'],
  ])('finds pictures when the annotations lie %s', async (_, annotations, picture, file_name) => {
    const images = [image(1, file_name)];
    const [set] = await read({
      [annotations]: { images, annotations: [box(1, 1)], categories },
      [picture]: null,
    });
    expect(set.findings).toEqual([]);
    expect(set.episodes.map((episode) => [episode.id, episode.labels?.length])).toEqual([[picture, 1]]);
  });

  it('names pictures that are listed and absent, or there and not listed', async () => {
    const images = [image(1, 'a.jpg'), image(2, 'gone.jpg')];
    const [set] = await read({
      'a.jpg': null,
      'extra.jpg': null,
      'annotations.json': { images, annotations: [box(1, 1)], categories },
    });
    expect(set.findings).toMatchObject([
      {
        code: 'pictures_absent',
        severity: 'error',
        path: 'annotations.json',
        evidence: { listed: 2, absent: 1 },
      },
      { code: 'pictures_unlisted', severity: 'warning', evidence: { unlisted: 1 } },
    ]);
    expect(set.episodes).toHaveLength(2);
  });

  it.each([
    ['the id 0', [box(0, 1)], ['coco_annotation_id_zero']],
    ['one id twice', [box(3, 1), box(3, 1)], ['coco_annotation_id_twice']],
    ['an id in text', [box('7', 1)], ['coco_annotation_id_text']],
    ['no area', [box(1, 1, { area: undefined })], ['coco_area_missing']],
    ['no iscrowd', [box(1, 1, { iscrowd: undefined })], ['coco_iscrowd_missing']],
    ['an unknown category', [box(1, 1, { category_id: 9 })], ['coco_category_unknown']],
    ['an unknown image', [box(1, 8)], ['coco_image_unknown']],
    ['a box outside the picture', [box(1, 1, { bbox: [60, 5, 10, 12] })], ['coco_box_outside']],
    ['a box without area', [box(1, 1, { bbox: [6, 5, 0, 12] })], ['coco_box_empty']],
    ['a box of three numbers', [box(1, 1, { bbox: [6, 5, 12] })], ['coco_box_malformed']],
    ['boxes as shares', [box(1, 1, { bbox: [0.1, 0.2, 0.3, 0.4] })], ['coco_box_normalised']],
    ['a polygon of four numbers', [box(1, 1, { segmentation: [[1, 2, 3, 4]] })], ['coco_polygon_malformed']],
    ['an empty segmentation', [box(1, 1, { segmentation: [] })], ['coco_mask_empty']],
    [
      'a mask with its size swapped',
      [box(1, 1, { segmentation: { size: [64, 48], counts: [0] } })],
      ['coco_mask_size_swapped'],
    ],
    [
      'a mask of another size',
      [box(1, 1, { segmentation: { size: [10, 10], counts: 'ab' } })],
      ['coco_mask_size_other'],
    ],
    ['a whole mask', [box(1, 1, { segmentation: { size: [48, 64], counts: [0] } })], []],
    ['category ids with holes and 0', [box(1, 1, { category_id: 1 })], []],
  ])('%s', async (_, annotations, codes) => {
    expect(await codesOf(annotations)).toEqual(codes);
  });

  it('with an image id twice or an image without a name says so', async () => {
    expect(await codesOf([box(1, 1)], [image(1, 'a.jpg'), image(1, 'a.jpg')])).toEqual([
      'coco_image_id_twice',
    ]);
    expect(await codesOf([box(1, 1)], [image(1, 'a.jpg'), { id: 2 }])).toEqual(['coco_image_incomplete']);
  });

  it('that was cut in the middle gives what stands before', async () => {
    const text = JSON.stringify({
      images: [image(1, 'a.jpg')],
      categories,
      annotations: [box(1, 1), box(2, 1)],
    });
    const [set] = await read({ 'a.jpg': null, 'annotations.json': text.slice(0, -40) });
    expect(set.findings.map((finding) => finding.code)).toEqual(['coco_json_refused']);
    expect(set.episodes[0].labels).toHaveLength(1);
  });

  it('with NaN, a byte order mark and braces in its strings is read', async () => {
    const text = `\ufeff{"info":{"note":"a [{ \\" }"},"images":[{"id":1,"file_name":"a.jpg","width":64,"height":48}],
      "annotations":[{"id":1,"image_id":1,"category_id":1,"bbox":[1,2,3,4],"area":NaN,"iscrowd":0}],
      "categories":[{"id":1,"name":"}]"}]}`;
    const [set] = await read({ 'a.jpg': null, 'annotations.json': text });
    expect(set.episodes[0].labels).toEqual([{ category: '}]', box_px: [1, 2, 3, 4] }]);
  });

  it('that is a bare list, or other JSON, is not taken for one', async () => {
    const sets = await read({ 'a.jpg': null, 'results.json': [box(1, 1)], 'other.json': { images: 3 } });
    expect(sets.map((set) => set.format)).toEqual(['pictures']);
  });
});

const data = '../shared/data/images';
describe.skipIf(!existsSync(data))('real COCO sets (needs ../shared/data/images)', () => {
  it('cobot hands: 200 and 100 pictures with one box each, 700 listed and absent', async () => {
    const { sets } = await readEverything(join(data, 'coco-cobot-hands'));
    expect(sets).toHaveLength(1);
    const { episodes, findings } = sets[0];
    const inSplit = (split: string) => episodes.filter((episode) => episode.id.startsWith(`${split}/`));
    expect([inSplit('valid').length, inSplit('test').length, inSplit('train').length]).toEqual([200, 100, 0]);
    expect(episodes.every((episode) => episode.labels?.length === 1)).toBe(true);
    const absent = findings.filter((finding) => finding.code === 'pictures_absent');
    expect(absent).toMatchObject([
      { path: 'train/_annotations.coco.json', evidence: { listed: 700, absent: 700 } },
    ]);
    expect(findings.filter((finding) => finding.code === 'coco_annotation_id_zero')).toHaveLength(3);
  });

  it('every layout of the Datumaro examples is found with its pictures and labels', async () => {
    const { sets } = await readEverything(join(data, 'datumaro-formats'));
    const seen = sets.map(({ path, episodes }) => [
      path.slice(path.lastIndexOf('assets/') + 7),
      episodes.length,
      episodes.reduce((sum, episode) => sum + (episode.labels?.length ?? 0), 0),
    ]);
    expect(seen).toEqual([
      ['coco_dataset/coco', 2, 3],
      ['coco_dataset/coco_captions', 2, 0],
      ['coco_dataset/coco_image_info', 2, 0],
      ['coco_dataset/coco_instances', 2, 3],
      ['coco_dataset/coco_labels', 2, 3],
      ['coco_dataset/coco_panoptic', 2, 3],
      ['coco_dataset/coco_person_keypoints', 2, 3],
      ['coco_dataset/coco_roboflow', 2, 3],
      ['coco_dataset/coco_stuff', 2, 2],
      ['coco_dataset/mmdet_coco', 2, 3],
      ['kaggle_dataset/relaxed_coco', 2, 2],
      ['roboflow_dataset/coco', 3, 4],
    ]);
    expect(sets.flatMap((set) => set.findings).filter((finding) => finding.severity === 'error')).toEqual([]);
  });
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom, sha256 } from '#core';
import { type ExportOptions, exportDataset, verifyExport } from '#engine/local/export';
import { temporaryFolder } from '#test/support/lerobot-set';

const [width, height] = [64, 48];
const size = { width_px: width, height_px: height };

/** Two noise images with hand labels: a cup on the first, a plate on the second. */
async function writeLabelled(folder: string): Promise<void> {
  mkdirSync(folder);
  const random = seededRandom(3);
  const images = ['a.png', 'b.png'].map((file_name, i) => ({ id: i + 1, file_name, width, height }));
  for (const { file_name } of images) {
    const pixels = Buffer.from(Array.from({ length: width * height * 3 }, () => random.integer(0, 255)));
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(join(folder, file_name));
  }
  const label = { iscrowd: 0, area: 120, segmentation: [] };
  const annotations = [
    { id: 1, image_id: 1, category_id: 1, bbox: [4, 5, 10, 12], ...label },
    { id: 2, image_id: 2, category_id: 2, bbox: [8, 9, 10, 12], ...label },
  ];
  const categories = ['cup', 'plate'].map((name, i) => ({ id: i + 1, name }));
  writeFileSync(join(folder, 'annotations.json'), JSON.stringify({ images, annotations, categories }));
}

/** Writes a folder as `assay annotate` does: a detector found a person and a plate in the first image. */
function writeDetections(folder: string, episode: { id: string; index: number; camera: string }): void {
  mkdirSync(folder);
  const boxes = [
    { label: 'person', score: 0.75, box: [1, 2, 20, 30] },
    { label: 'plate', score: 0.5, box: [3, 4, 10, 10] },
  ];
  const frames = [{ camera: episode.camera, row: 0, ...size, boxes }];
  const bytes = JSON.stringify({ frames });
  writeFileSync(join(folder, 'object_labels.json'), bytes);
  const files = [{ name: 'artifact', path: 'object_labels.json', sha256: sha256(bytes) }];
  const layers = { object_labels: { state: 'done', files } };
  const episodes = [{ id: episode.id, dataset: '.', index: episode.index, layers }];
  writeFileSync(
    join(folder, 'annotations.json'),
    JSON.stringify({ schema: 'assay/annotations/v1', episodes }),
  );
}

describe('hand labels and results of a detector, in COCO', { timeout: 240_000 }, () => {
  let source: string;
  let annotations: string;
  const exported = async (options: ExportOptions = {}) => {
    const out = join(await temporaryFolder(), 'export');
    const { lineage } = await exportDataset(source, out, {
      format: 'coco-detection',
      only: ['0', '1'],
      ...options,
    });
    expect((await verifyExport(out)).problems).toEqual([]);
    const json = (path: string) => JSON.parse(readFileSync(join(out, path), 'utf8'));
    return { json, files: lineage!.files, kept: lineage!.kept };
  };
  beforeAll(async () => {
    const folder = await temporaryFolder();
    [source, annotations] = [join(folder, 'set'), join(folder, 'said')];
    await writeLabelled(source);
    const { json, kept } = await exported();
    const [{ camera }] = json('annotations/instances_train.json').images;
    writeDetections(annotations, { id: kept[0].id, index: 0, camera });
  }, 240_000);

  it('stay in files of their own, and the labels are the same bytes as without results', async () => {
    const plain = await exported();
    expect(plain.files.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('predictions'));
    const both = await exported({ annotations });
    const labels = ({ files }: typeof plain) =>
      files
        .filter(({ path }) => !path.startsWith('predictions/'))
        .map(({ path, sha256: hash }) => [path, hash]);
    expect(labels(both)).toEqual(labels(plain));
    const { categories, annotations: own } = both.json('annotations/instances_train.json');
    expect(categories.map(({ name }: { name: string }) => name)).toEqual(['cup', 'plate']);
    expect(own.map(({ id, score }: { id: number; score?: number }) => [id, score])).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
  });

  it('share image and category ids, and every result says which layer it is from', async () => {
    const { json } = await exported({ annotations });
    const labels = json('annotations/instances_train.json');
    const found = json('predictions/object_labels_train.json');
    expect(found.info).toMatchObject({ source: 'machine' });
    expect(found.images).toEqual(labels.images);
    expect(found.categories).toEqual([...labels.categories, { id: 3, name: 'person', supercategory: '' }]);
    const same = { image_id: 1, iscrowd: 0, segmentation: [], source: 'object_labels' };
    expect(found.annotations).toEqual([
      { id: 1, ...same, bbox: [1, 2, 20, 30], area: 600, score: 0.75, category_id: 3 },
      { id: 2, ...same, bbox: [3, 4, 10, 10], area: 100, score: 0.5, category_id: 2 },
    ]);
  });
});

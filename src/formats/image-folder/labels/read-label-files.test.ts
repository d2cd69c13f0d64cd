import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discover } from '#formats';
import { temporaryFolder } from '#test/support/lerobot-set';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const voc = (name: string, category: string) =>
  `<annotation><filename>${name}</filename><object><name>${category}</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></object></annotation>`;

/** Returns what is read of each picture: its classes and the codes of its findings. */
async function read(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const pictures: Record<string, { classes: string[] | null; findings: string[] }> = {};
  const { datasets } = await discover(folder);
  for (const { dataset } of datasets)
    for (const unit of dataset.units)
      for await (const item of dataset.read(unit, {}))
        if (!('unreadable' in item))
          pictures[item.sources[0].path] = {
            classes: item.labels?.map(({ category }) => category) ?? null,
            findings: item.findings.map(({ code }) => code),
          };
  return pictures;
}

describe('label files', () => {
  it('belong to the picture of their own name if the one that they name was renamed', async () => {
    expect(await read({ 'a.png': png, 'a.xml': voc('old.png', 'cup') })).toEqual({
      'a.png': { classes: ['cup'], findings: [] },
    });
  });

  it('are not read if they name one picture and are named like another', async () => {
    const pictures = await read({ 'a.png': png, 'b.png': png, 'b.xml': voc('a.png', 'cup') });
    expect(pictures).toEqual({
      'a.png': { classes: null, findings: ['labels_ambiguous'] },
      'b.png': { classes: null, findings: ['labels_ambiguous'] },
    });
  });

  it('belong to the picture in the parallel folder if other folders have the same names', async () => {
    const pictures = await read({
      'images/train/a.png': png,
      'images/val/a.png': png,
      'labels/train/a.xml': voc('a.png', 'cup'),
      'labels/val/a.xml': voc('a.png', 'plate'),
    });
    expect(Object.values(pictures).map(({ classes }) => classes)).toEqual([['cup'], ['plate']]);
  });

  it('are ambiguous if several pictures have their name and they name none', async () => {
    const pictures = await read({
      'a.png': png,
      'a.jpg': png,
      'a.xml': '<annotation><object><name>cup</name></object></annotation>',
    });
    expect(Object.values(pictures)).toEqual([
      { classes: null, findings: expect.arrayContaining(['labels_ambiguous']) },
      { classes: null, findings: ['labels_ambiguous'] },
    ]);
  });

  it('that are damaged concern only the picture of their name', async () => {
    const pictures = await read({
      'a.png': png,
      'b.png': png,
      'c.png': png,
      'a.xml': voc('a.png', 'cup'),
      'b.xml': '<annotation><object>',
    });
    expect(pictures).toMatchObject({
      'a.png': { classes: ['cup'], findings: [] },
      'b.png': { findings: ['label_file_unreadable'] },
      'c.png': { findings: [] },
    });
  });

  it('of Supervisely are told from other JSON with objects and a size', async () => {
    const scene = { objects: [{ name: 'table', description: 'oak' }], size: { width: 4, depth: 2 } };
    const label = { size: { height: 1, width: 1 }, objects: [{ classTitle: 'cup', points: {} }], tags: [] };
    const pictures = await read({
      'img/a.png': png,
      'ann/a.png.json': JSON.stringify(label),
      'scene.json': JSON.stringify(scene),
    });
    expect(pictures['img/a.png']).toEqual({ classes: ['cup'], findings: [] });
  });
});

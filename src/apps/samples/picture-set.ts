import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Random, seededRandom } from '#core';
import { type JpegEncoder, openJpegEncoder } from '#io/video';
import { type Colour, cloud, Picture } from './picture.ts';
import type { EpisodeTruth, SetTruth } from './truth.ts';

const pictureCount = 24;
const size = { width: 320, height: 240 } as const;
const categories = ['cube', 'cup', 'tool'] as const;
const colours: readonly Colour[] = [
  [110, 96, 205],
  [190, 150, 100],
  [70, 128, 128],
];

type PictureFault =
  | 'black_picture'
  | 'truncated_picture'
  | 'box_outside'
  | 'duplicate_picture'
  | 'blurred_picture';
const plannedFaults: Readonly<Record<number, PictureFault>> = {
  4: 'black_picture',
  9: 'truncated_picture',
  13: 'box_outside',
  17: 'duplicate_picture',
  20: 'blurred_picture',
};

interface Box {
  readonly category: number;
  readonly box: readonly [number, number, number, number];
}

/**
 * Writes pictures of objects on a table with COCO labels, some pictures and labels faulty, and returns the planted
 * faults.
 */
export async function writePictures(
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
): Promise<Omit<SetTruth, 'path'>> {
  await mkdir(join(folder, 'images'), { recursive: true });
  await mkdir(join(folder, 'annotations'), { recursive: true });
  const encoder = await openJpegEncoder(size.width, size.height, 2);
  const picture = new Picture(size.width, size.height);
  const boxes: Box[][] = [];
  const files: Uint8Array[] = [];
  const episodes: EpisodeTruth[] = [];
  for (let index = 0; index < pictureCount; index++) {
    const fault = plannedFaults[index];
    boxes.push(drawTable(picture, seededRandom(seed * 67 + index * 29)));
    files.push(encodeWithFault(picture, encoder, fault, files, index));
    if (fault === 'duplicate_picture') boxes[index] = boxes[index - 5];
    if (fault === 'box_outside') boxes[index][0] = { category: 0, box: [290, 200, 80, 90] };
    const path = `images/${nameOf(index)}`;
    await writeFile(join(folder, path), files[index]);
    const planted = fault === undefined ? [] : [{ fault, size: 'medium' as const, marks: [] }];
    episodes.push({ index, path, task: null, planted });
    onProgress((index + 1) / pictureCount);
  }
  encoder.close();
  await writeFile(join(folder, 'annotations/instances.json'), `${JSON.stringify(toCoco(boxes), null, 1)}\n`);
  return { title: 'Images with COCO labels', episodes };
}

function encodeWithFault(
  picture: Picture,
  encoder: JpegEncoder,
  fault: PictureFault | undefined,
  files: readonly Uint8Array[],
  index: number,
): Uint8Array {
  if (fault === 'duplicate_picture') return files[index - 5];
  if (fault === 'black_picture') picture.fill(16, 128, 128);
  if (fault === 'blurred_picture') blur(picture);
  else picture.noise(index * 131, 0);
  const jpeg = encoder.encode(picture.bytes);
  return fault === 'truncated_picture' ? jpeg.subarray(0, Math.round(jpeg.length * 0.4)) : jpeg;
}

function drawTable(picture: Picture, random: Random): Box[] {
  const grain = cloud(size.width, size.height, 4, random.integer(1, 1e6));
  const patches = cloud(size.width, size.height, 64, random.integer(1, 1e6));
  picture.fill(130, random.integer(118, 130), random.integer(124, 138));
  const light = random.between(112, 140);
  for (let i = 0; i < grain.length; i++) picture.bytes[i] = light + 16 * grain[i] + 75 * patches[i];
  return Array.from({ length: random.integer(1, 3) }, (_, object): Box => {
    const category = random.integer(0, categories.length - 1);
    const radius = random.integer(12, 22);
    const x = random.integer(30 + object * 95, 75 + object * 95);
    const y = random.integer(45, 190);
    const length = category === 2 ? 30 : category === 1 ? 14 : 4;
    picture.stroke(x, y, x + length, y, radius, colours[category]);
    const left = x - radius;
    return { category, box: [left, y - radius, length + 2 * radius, 2 * radius] };
  });
}

/** Blurs luma like a lens out of focus: averages over 11 px along both axes, twice. */
function blur(picture: Picture): void {
  for (let pass = 0; pass < 2; pass++) {
    blurAlong(picture.bytes, size.width, size.height, 1, size.width);
    blurAlong(picture.bytes, size.height, size.width, size.width, 1);
  }
}

function blurAlong(bytes: Uint8Array, length: number, lines: number, step: number, lineStep: number): void {
  const radius = 5;
  const line = new Uint8Array(length);
  for (let l = 0; l < lines; l++) {
    const base = l * lineStep;
    for (let i = 0; i < length; i++) line[i] = bytes[base + i * step];
    for (let i = 0; i < length; i++) {
      let sum = 0;
      for (let k = -radius; k <= radius; k++) sum += line[Math.max(0, Math.min(length - 1, i + k))];
      bytes[base + i * step] = sum / (2 * radius + 1);
    }
  }
}

function toCoco(boxes: readonly (readonly Box[])[]): Record<string, unknown> {
  const images = boxes.map((_, index) => ({ id: index + 1, file_name: nameOf(index), ...size }));
  const annotations = boxes.flatMap((own, index) =>
    own.map(({ category, box }) => ({ image_id: index + 1, category, box })),
  );
  return {
    info: { description: 'objects on a table', version: '1' },
    licenses: [],
    categories: categories.map((name, id) => ({ id: id + 1, name, supercategory: 'object' })),
    images,
    annotations: annotations.map(({ image_id, category, box }, index) => ({
      id: index + 1,
      image_id,
      category_id: category + 1,
      bbox: box,
      area: box[2] * box[3],
      iscrowd: 0,
    })),
  };
}

function nameOf(index: number): string {
  return `table_${String(index).padStart(3, '0')}.jpg`;
}

import { type JsonObject, parseTolerantJson } from '#core';
import type { PictureLabel } from '#core/episode';
import { splitPath } from '../../shared/file-names.ts';
import {
  boundingBox,
  boxFrom,
  isObject,
  type LabelFormat,
  type LabelledPicture,
  listOf,
  numbersOf,
  objectsOf,
  sizeOf,
} from './label-format.ts';

/**
 * Datumaro: one JSON for a subset, with `items` and their annotations
 * (https://open-edge-platform.github.io/datumaro/latest/docs/data-formats/formats/datumaro.html).
 */
export const datumaroFormat: LabelFormat = {
  title: 'Datumaro',
  extension: '.json',
  signs: [/"categories"\s*:\s*\{/, /"items"\s*:\s*\[/],
  parse: (text, path) => {
    const { value } = parseTolerantJson(text, path);
    const file = isObject(value) ? value : {};
    const categories = isObject(file.categories) ? file.categories.label : null;
    const names = isObject(categories) ? listOf(categories.labels) : [];
    const skipped = new Set<string>();
    const category = (id: unknown): string => {
      const label = typeof id === 'number' ? names[id] : null;
      return isObject(label) && typeof label.name === 'string' ? label.name : String(id ?? '');
    };
    const subset = splitPath(path).stem;
    return {
      pictures: objectsOf(file.items).map((item) => readItem(item, { category, skipped, subset })),
      skipped,
    };
  },
};

interface ItemContext {
  readonly category: (id: unknown) => string;
  readonly skipped: Set<string>;
  /** Name of the subset, which is the folder of its pictures. */
  readonly subset: string;
}

function readItem(item: JsonObject, { category, skipped, subset }: ItemContext): LabelledPicture {
  const media = [item.image, item.media].find(isObject);
  const named = [media?.path, item.id].find((name) => typeof name === 'string' && name !== '');
  const [height, width] = numbersOf(media?.size);
  const labels: PictureLabel[] = [];
  const captions: string[] = [];
  for (const annotation of objectsOf(item.annotations)) {
    const { type, caption, label_id } = annotation;
    if (type === 'caption') {
      if (typeof caption === 'string') captions.push(caption);
    } else if (type === 'label') labels.push({ category: category(label_id), box_px: null });
    else if (typeof type === 'string' && shapes.has(type))
      labels.push({ category: category(label_id), box_px: shapeBox(annotation) });
    else skipped.add(String(type));
  }
  const name = typeof named === 'string' ? `${subset}/${named}` : null;
  return { name, size_px: sizeOf(width, height), labels, captions };
}

const shapes: ReadonlySet<string> = new Set([
  ...['bbox', 'polygon', 'polyline', 'points', 'ellipse', 'mask', 'skeleton'],
]);

function shapeBox({ type, bbox, points, elements }: JsonObject): PictureLabel['box_px'] {
  if (type === 'bbox') {
    const [x, y, width, height] = numbersOf(bbox);
    return boxFrom(x, y, width, height);
  }
  const flat =
    type === 'skeleton' ? objectsOf(elements).flatMap((part) => numbersOf(part.points)) : numbersOf(points);
  return boundingBox(
    flat.filter((_, i) => i % 2 === 0),
    flat.filter((_, i) => i % 2 === 1),
  );
}

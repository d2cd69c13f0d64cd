import { type JsonObject, parseTolerantJson } from '#core';
import type { PictureLabel } from '#core/episode';
import { splitPath } from '../../shared/file-names.ts';
import {
  boundingBox,
  isObject,
  type LabelFormat,
  listOf,
  numbersOf,
  objectsOf,
  sizeOf,
} from './label-format.ts';

/**
 * Supervisely: one JSON for a picture, named `PICTURE.json` in the folder `ann`
 * (https://docs.supervisely.com/data-organization/00_ann_format_navi/03_supervisely_format_objects). Bitmaps are labels
 * without a box.
 */
export const superviselyFormat: LabelFormat = {
  title: 'Supervisely',
  extension: '.json',
  signs: [/"objects"\s*:\s*\[/, /"size"\s*:\s*\{/, /"(classTitle|geometryType|description)"\s*:/],
  parse: (text, path) => {
    const { value } = parseTolerantJson(text, path);
    const file = isObject(value) ? value : {};
    const size = isObject(file.size) ? file.size : {};
    const labels = [
      ...objectsOf(file.objects).map(readObject),
      ...objectsOf(file.tags).map(({ name }) => ({ category: String(name ?? ''), box_px: null })),
    ];
    const name = splitPath(path).stem;
    return {
      pictures: [{ name, size_px: sizeOf(size.width, size.height), labels, captions: [] }],
      skipped: new Set(),
    };
  },
};

function readObject({ classTitle, points }: JsonObject): PictureLabel {
  const corners = isObject(points) ? listOf(points.exterior).map(numbersOf) : [];
  const [xs, ys] = [0, 1].map((i) => corners.map((corner) => corner[i]));
  return { category: typeof classTitle === 'string' ? classTitle : '', box_px: boundingBox(xs, ys) };
}

import { AssayError, type JsonObject, parseTolerantJson } from '#core';
import type { PictureLabel } from '#core/episode';
import { splitPath } from '../../shared/file-names.ts';
import {
  boundingBox,
  ellipseBox,
  isObject,
  type LabelFormat,
  listOf,
  numbersOf,
  objectsOf,
  sizeOf,
} from './label-format.ts';

/** LabelMe: one JSON for a picture, with `shapes` of points (https://github.com/wkentaro/labelme). */
export const labelmeFormat: LabelFormat = {
  title: 'LabelMe',
  extension: '.json',
  signs: [/"shapes"\s*:/, /"(imagePath|imageData|shape_type)"\s*:/],
  parse: (text, path) => {
    const file = parseTolerantJson(text, path).value;
    if (!isObject(file))
      throw new AssayError('unreadable_input', `${path} is not a LabelMe object`, { path });
    const { imagePath, imageWidth, imageHeight, flags } = file;
    const ofPicture = isObject(flags) ? Object.keys(flags).filter((key) => flags[key] === true) : [];
    const labels = [
      ...objectsOf(file.shapes).map(readShape),
      ...ofPicture.map((category) => ({ category, box_px: null })),
    ];
    const name = typeof imagePath === 'string' ? imagePath : null;
    return {
      pictures: [{ name, size_px: sizeOf(imageWidth, imageHeight), labels, captions: [] }],
      skipped: new Set(),
    };
  },
};

function readShape(shape: JsonObject): PictureLabel {
  const points = listOf(shape.points).map(numbersOf);
  const [xs, ys] = [0, 1].map((i) => points.map((point) => point[i]));
  const isCircle = shape.shape_type === 'circle' && points.length === 2;
  const radius = isCircle ? Math.hypot(xs[1] - xs[0], ys[1] - ys[0]) : 0;
  return {
    category: typeof shape.label === 'string' ? shape.label : '',
    box_px: isCircle ? ellipseBox(xs[0], ys[0], [radius, radius]) : boundingBox(xs, ys),
  };
}

/**
 * Supervisely: one JSON for a picture, named `PICTURE.json` in the folder `ann`
 * (https://docs.supervisely.com/data-organization/00_ann_format_navi/03_supervisely_format_objects). Bitmaps are labels
 * without a box.
 */
export const superviselyFormat: LabelFormat = {
  title: 'Supervisely',
  extension: '.json',
  signs: [
    /"objects"\s*:\s*\[/,
    /"size"\s*:\s*\{\s*"(height|width)"\s*:/,
    /"classTitle"\s*:|"objects"\s*:\s*\[\s*\]/,
  ],
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

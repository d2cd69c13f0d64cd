import { type JsonObject, type JsonValue, parseTolerantJson } from '#core';
import type { PictureLabel } from '#core/episode';
import {
  boundingBox,
  boxFrom,
  ellipseBox,
  isObject,
  type LabelFormat,
  type LabelledPicture,
  numbersOf,
  objectsOf,
} from './label-format.ts';

/**
 * Projects and annotations of the VGG Image Annotator, versions 1 and 2: regions as a list or by number, with
 * `shape_attributes` and `region_attributes` (https://www.robots.ox.ac.uk/~vgg/software/via/docs/).
 */
export const viaFormat: LabelFormat = {
  title: 'VGG Image Annotator',
  extension: '.json',
  signs: [/"regions"\s*:/, /"(file_attributes|shape_attributes)"\s*:/],
  parse: (text, path) => {
    const parsed = parseTolerantJson(text, path).value;
    const metadata =
      isObject(parsed) && isObject(parsed._via_img_metadata) ? parsed._via_img_metadata : parsed;
    return { pictures: objectsOf(metadata).flatMap(readPicture), skipped: new Set() };
  },
};

function readPicture(entry: JsonObject): LabelledPicture[] {
  if (typeof entry.filename !== 'string') return [];
  const labels = objectsOf(entry.regions).map(readRegion);
  const ofPicture = categoryOf(entry.file_attributes);
  if (ofPicture !== null) labels.push({ category: ofPicture, box_px: null });
  const caption = isObject(entry.file_attributes) ? entry.file_attributes.caption : null;
  const captions = typeof caption === 'string' && caption.trim() !== '' ? [caption] : [];
  return [{ name: entry.filename, size_px: null, labels, captions }];
}

function readRegion(region: JsonObject): PictureLabel {
  const shape = isObject(region.shape_attributes) ? region.shape_attributes : {};
  const value = region.region_attributes;
  return { category: categoryOf(value) ?? firstText(value) ?? '', box_px: shapeBox(shape) };
}

function shapeBox(shape: JsonObject): PictureLabel['box_px'] {
  const number = (key: string) => Number(shape[key] ?? Number.NaN);
  switch (shape.name) {
    case 'rect':
      return boxFrom(number('x'), number('y'), number('width'), number('height'));
    case 'circle':
      return ellipseBox(number('cx'), number('cy'), [number('r'), number('r')]);
    case 'ellipse':
      // Version 2 stores the angle in radians.
      return ellipseBox(
        number('cx'),
        number('cy'),
        [number('rx'), number('ry')],
        (Number(shape.theta ?? 0) * 180) / Math.PI,
      );
    case 'point':
      return boxFrom(number('cx'), number('cy'), 0, 0);
    default:
      return boundingBox(numbersOf(shape.all_points_x), numbersOf(shape.all_points_y));
  }
}

const categoryKey = /^(class|label|category|name|type|object|tag)s?(_?name)?$/i;

/** Returns the value of the attribute that names a class; several ticked options are joined by commas. */
function categoryOf(attributes: JsonValue | undefined): string | null {
  if (!isObject(attributes)) return null;
  const key = Object.keys(attributes).find((name) => categoryKey.test(name));
  return key === undefined ? null : textOf(attributes[key]);
}

function firstText(attributes: JsonValue | undefined): string | null {
  if (!isObject(attributes)) return null;
  for (const value of Object.values(attributes)) {
    const text = textOf(value);
    if (text !== null) return text;
  }
  return null;
}

function textOf(value: JsonValue): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (!isObject(value)) return null;
  const ticked = Object.keys(value).filter((key) => value[key] === true);
  return ticked.length === 0 ? null : ticked.join(', ');
}

import { type JsonObject, type JsonValue, parseTolerantJson } from '#core';
import type { PictureLabel } from '#core/episode';
import {
  boundingBox,
  boxFrom,
  ellipseBox,
  isObject,
  type LabelFormat,
  type LabelledPicture,
  listOf,
  numbersOf,
  objectsOf,
  sizeOf,
} from './label-format.ts';

/**
 * Label Studio's JSON export: a list of tasks with annotations, whose positions are per cent of the picture
 * (https://labelstud.io/guide/task_format). Of several annotations of a task, the first that was not cancelled is read.
 */
export const labelStudioFormat: LabelFormat = {
  title: 'Label Studio',
  extension: '.json',
  signs: [/"(annotations|completions)"\s*:/, /"from_name"\s*:/, /"to_name"\s*:/],
  parse: (text, path) => {
    const parsed = parseTolerantJson(text, path).value;
    const skipped = new Set<string>();
    const tasks = Array.isArray(parsed) ? objectsOf(parsed) : isObject(parsed) ? [parsed] : [];
    return { pictures: tasks.flatMap((task) => readTask(task, skipped)), skipped };
  },
};

function readTask(task: JsonObject, skipped: Set<string>): LabelledPicture[] {
  const name = pictureName(task);
  if (name === null) return [];
  const answers = objectsOf(task.annotations ?? task.completions);
  const answer = answers.find(({ was_cancelled }) => was_cancelled !== true);
  const labels: PictureLabel[] = [];
  const captions: string[] = [];
  let size_px: LabelledPicture['size_px'] = null;
  for (const result of objectsOf(answer?.result)) {
    const size = sizeOf(result.original_width, result.original_height);
    size_px ??= size;
    const value = isObject(result.value) ? result.value : {};
    const type = typeof result.type === 'string' ? result.type : '';
    if (type === 'textarea') addAll(captions, textsOf(value.text));
    else if (type === 'choices' || type === 'taxonomy')
      addAll(
        labels,
        textsOf(value[type]).map((category) => ({ category, box_px: null })),
      );
    else if (type.endsWith('labels')) addAll(labels, readShape(type, value, size));
    else if (type !== '') skipped.add(type);
  }
  return [{ name, size_px, labels, captions }];
}

/** Appends items one by one: a list of hundreds of thousands does not fit into the arguments of `push`. */
function addAll<Item>(into: Item[], items: readonly Item[]): void {
  for (const item of items) into.push(item);
}

/** Returns the address of the picture: the first text in `data` that ends like a picture, or has the key `image`. */
function pictureName({ data }: JsonObject): string | null {
  if (!isObject(data)) return null;
  const texts = Object.entries(data).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const found =
    texts.find(([key]) => /^(image|img|picture)/i.test(key)) ??
    texts.find(([, text]) => /\.\w{3,4}$/.test(text));
  if (found === undefined) return null;
  // Local storage gives `/data/local-files/?d=folder/a.jpg`, cloud storage an address with parameters.
  const path =
    /[?&]d=([^&]+)/.exec(found[1])?.[1] ?? found[1].replace(/[?#].*$/, '').replace(/^\w+:\/\/[^/]*\//, '');
  return decoded(path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function readShape(type: string, value: JsonObject, size: readonly [number, number] | null): PictureLabel[] {
  const box_px = size === null ? null : shapeBox(value, size);
  return textsOf(value[type] ?? value.labels).map((category) => ({ category, box_px }));
}

function shapeBox(value: JsonObject, [width, height]: readonly [number, number]): PictureLabel['box_px'] {
  const x = (key: string) => (Number(value[key] ?? Number.NaN) * width) / 100;
  const y = (key: string) => (Number(value[key] ?? Number.NaN) * height) / 100;
  const turned = Number(value.rotation ?? 0);
  if (value.points !== undefined) {
    const points = listOf(value.points).map(numbersOf);
    return boundingBox(
      points.map(([px]) => (px * width) / 100),
      points.map(([, py]) => (py * height) / 100),
    );
  }
  if (value.radiusX !== undefined) return ellipseBox(x('x'), y('y'), [x('radiusX'), y('radiusY')], turned);
  if (value.height === undefined) return boxFrom(x('x'), y('y'), 0, 0);
  return turnedBox([x('x'), y('y'), x('width'), y('height')], turned);
}

/** Returns the bounding box of a rectangle that is turned clockwise about its top left corner. */
function turnedBox([x, y, width, height]: readonly number[], turned_deg: number): PictureLabel['box_px'] {
  if (turned_deg === 0) return boxFrom(x, y, width, height);
  const [cos, sin] = [Math.cos, Math.sin].map((of) => of((turned_deg * Math.PI) / 180));
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
  return boundingBox(
    corners.map(([dx, dy]) => x + dx * cos - dy * sin),
    corners.map(([dx, dy]) => y + dx * sin + dy * cos),
  );
}

/** Returns the texts of a value; of a path in a taxonomy, its last part. */
function textsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  return listOf(value).flatMap((one) => {
    const text = Array.isArray(one) ? one.at(-1) : one;
    return typeof text === 'string' ? [text] : [];
  });
}

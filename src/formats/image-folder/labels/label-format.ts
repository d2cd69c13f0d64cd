import type { JsonObject, JsonValue } from '#core';
import type { PictureLabel } from '#core/episode';

/** Labels of one picture in a label file. */
export interface LabelledPicture {
  /** Name or path of the picture as the file says; `null` if it names none, and is named like its picture. */
  readonly name: string | null;
  readonly size_px: readonly [width: number, height: number] | null;
  readonly labels: readonly PictureLabel[];
  readonly captions: readonly string[];
}

/** Content of a label file. */
export interface LabelFile {
  readonly pictures: readonly LabelledPicture[];
  /** Kinds of labels that are not read, such as `track`. */
  readonly skipped: ReadonlySet<string>;
}

/** A format of label files. */
export interface LabelFormat {
  readonly title: string;
  readonly extension: '.json' | '.xml';
  /** Patterns that all match the beginning of such a file. */
  readonly signs: readonly RegExp[];
  /** Parses a file. Throws AssayError `unreadable_input`. */
  parse(text: string, path: string): LabelFile;
}

type Box = readonly [x: number, y: number, width: number, height: number];

/**
 * Returns the bounding box of points; `null` if there are none, the lists differ in length or a number is not finite.
 */
export function boundingBox(xs: readonly number[], ys: readonly number[]): Box | null {
  if (xs.length === 0 || xs.length !== ys.length || ![...xs, ...ys].every(Number.isFinite)) return null;
  const [left, top] = [xs, ys].map((values) => values.reduce((a, b) => Math.min(a, b)));
  const [right, bottom] = [xs, ys].map((values) => values.reduce((a, b) => Math.max(a, b)));
  return [left, top, right - left, bottom - top];
}

/** Returns the box of these four numbers; `null` if one of them is not finite. */
export function boxFrom(left: number, top: number, width: number, height: number): Box | null {
  return [left, top, width, height].every(Number.isFinite) ? [left, top, width, height] : null;
}

/**
 * Returns the bounding box of an ellipse by centre and radii, turned by an angle in degrees; `null` if a number is not
 * finite.
 */
export function ellipseBox(
  x: number,
  y: number,
  radii: readonly [number, number],
  turned_deg = 0,
): Box | null {
  const angle = (turned_deg * Math.PI) / 180;
  const half = (a: number, b: number) => Math.hypot(a * Math.cos(angle), b * Math.sin(angle));
  const [width, height] = [half(radii[0], radii[1]), half(radii[1], radii[0])];
  return boxFrom(x - width, y - height, 2 * width, 2 * height);
}

/** True for JSON objects, not for arrays and `null`. */
export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value if it is a list, else an empty one. */
export const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : [];

/** Returns the objects among the items of a list or the values of an object; empty for other values. */
export const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  (isObject(value) ? Object.values(value) : listOf(value)).filter(isObject);

/** Returns the items of a list converted to numbers, NaN for those that are none; empty for other values. */
export const numbersOf = (value: JsonValue | undefined): number[] => listOf(value).map(Number);

/** Returns [width, height] if both are positive numbers or their texts; else `null`. */
export function sizeOf(width: unknown, height: unknown): readonly [number, number] | null {
  const [w, h] = [Number(width ?? Number.NaN), Number(height ?? Number.NaN)];
  return w > 0 && h > 0 ? [w, h] : null;
}

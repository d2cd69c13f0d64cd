import type { MotionColumn } from './motion-source.ts';

type Ranges = readonly (readonly [number, number])[];

/**
 * Takes out of bin means what is no motion: an angle that passes from one end of its circle to the other, and a
 * quaternion that turns into its negative, which is the same orientation. In place.
 */
export function straighten(
  means: Float64Array,
  columns: readonly MotionColumn[],
  count: number,
  ranges: Ranges,
): void {
  columns.forEach((column, c) => {
    const circle = circleOf(column);
    if (circle > 0) unwrap(means.subarray(c * count, (c + 1) * count), circle, ranges);
  });
  for (let c = 0; c + 3 < columns.length; c++) {
    if (!isQuaternion(columns, c)) continue;
    alignSigns(means.subarray(c * count, (c + 4) * count), count, ranges);
    c += 3;
  }
}

function circleOf({ nature, stream: { unit } }: MotionColumn): number {
  if (nature === 'rate') return 0;
  return unit.unit === 'rad' ? 2 * Math.PI : unit.unit === 'deg' ? 360 : 0;
}

function unwrap(x: Float64Array, circle: number, ranges: Ranges): void {
  for (const [from, to] of ranges) {
    let turns = 0;
    let before = x[from];
    for (let b = from + 1; b < to; b++) {
      const now = x[b];
      if (now - before > 0.6 * circle) turns--;
      else if (before - now > 0.6 * circle) turns++;
      before = now;
      x[b] = now + turns * circle;
    }
  }
}

const orientationNames = /orient|quat|rotation|^q[wxyz]?$|^q\[/i;

/** Four columns on end of one stream that hold a unit quaternion, by the stream's unit or the names. */
function isQuaternion(columns: readonly MotionColumn[], c: number): boolean {
  const { stream, dimension } = columns[c];
  if (columns[c + 3].stream !== stream || columns[c + 3].dimension !== dimension + 3) return false;
  if (stream.unit.unit === 'quaternion') return dimension % 4 === 0;
  const named = stream.names?.slice(dimension, dimension + 4) ?? [];
  return named.length === 4 && named.every((name) => orientationNames.test(name));
}

function alignSigns(x: Float64Array, count: number, ranges: Ranges): void {
  for (const [from, to] of ranges)
    for (let b = from + 1; b < to; b++) {
      let product = 0;
      for (let at = b; at < 4 * count; at += count) product += x[at - 1] * x[at];
      if (product < 0) for (let at = b; at < 4 * count; at += count) x[at] = -x[at];
    }
}

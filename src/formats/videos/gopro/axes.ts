import { type GpmfEntry, type GpmfNumbers, readNumbers, readText } from './parse-gpmf.ts';

/** Matrix from the axes of a sensor to the axes x, y, z of the camera. */
export interface AxisOrder {
  /** 3 × 3, row-major: camera axis = row · sample. */
  readonly matrix: readonly number[];
}

/** Names of the columns after `orient`. */
export const axisNames: readonly string[] = ['x', 'y', 'z'];

/**
 * Reads how the columns of a stream relate to the axes of the camera; `null` if the stream does not declare it for three
 * columns.
 *
 * ORIN names the axis of each column (a lower-case letter is the negative axis); MTRX is a matrix whose results are in
 * the order of ORIO, and goes first.
 */
export function readAxisOrder(entries: readonly GpmfEntry[]): AxisOrder | null {
  const find = (key: string) => entries.find((entry) => entry.key === key);
  const [input, output, matrix] = [find('ORIN'), find('ORIO'), find('MTRX')];
  if (matrix !== undefined && output !== undefined) {
    const numbers = readNumbers(matrix);
    const order = [...readText(output)];
    const rows = axisNames.map((axis) => order.indexOf(axis.toUpperCase()));
    if (numbers?.values.length === 9 && order.length === 3 && !rows.includes(-1))
      return { matrix: rows.flatMap((row) => [...numbers.values.subarray(3 * row, 3 * row + 3)]) };
  }
  if (input === undefined) return null;
  const letters = [...readText(input)];
  if (
    letters
      .map((letter) => letter.toLowerCase())
      .sort()
      .join('') !== 'xyz'
  )
    return null;
  return {
    matrix: axisNames.flatMap((axis) =>
      letters.map((letter) => (letter === axis ? -1 : letter.toLowerCase() === axis ? 1 : 0)),
    ),
  };
}

/** Overwrites each row of three numbers with its coordinates along the axes of the camera. */
export function orient({ rows, values }: GpmfNumbers, { matrix }: AxisOrder): void {
  for (let row = 0; row < rows; row++) {
    const [a, b, c] = values.subarray(3 * row, 3 * row + 3);
    for (let axis = 0; axis < 3; axis++)
      values[3 * row + axis] = matrix[3 * axis] * a + matrix[3 * axis + 1] * b + matrix[3 * axis + 2] * c;
  }
}

import { describe, expect, it } from 'vitest';
import { findDisplacedWindows } from './windows.ts';

/** Windows as [from, width, rows]; rows are as many as the width unless said. */
const at = (...windows: readonly (readonly [number, number, number?])[]) =>
  findDisplacedWindows(windows.map(([from, width, rows = width]) => ({ from, width, rows })));

describe('windows out of place', () => {
  it.each<[string, (readonly [number, number, number?])[], number[]]>([
    [
      'none of windows one after the other',
      [
        [0, 5],
        [5, 7],
        [12, 4],
      ],
      [],
    ],
    [
      'none of windows with frames left out',
      [
        [0, 5],
        [9, 7],
        [16, 4],
      ],
      [],
    ],
    [
      'none where lengths of the table lie',
      [
        [0, 5],
        [5, 7, 9],
        [12, 4],
        [16, 5],
      ],
      [],
    ],
    [
      'none where a window is short and the next begins where it ends',
      [
        [0, 5],
        [5, 6, 7],
        [11, 4],
      ],
      [],
    ],
    [
      'none where a window is long and the next begins where it ends',
      [
        [0, 5],
        [5, 9, 7],
        [14, 4],
      ],
      [],
    ],
    [
      'none of a file written in another order',
      [
        [20, 5],
        [5, 5],
        [15, 5],
        [10, 5],
        [0, 5],
      ],
      [],
    ],
    [
      'the one with the window before',
      [
        [0, 5],
        [5, 7],
        [5, 7],
        [19, 4],
      ],
      [2],
    ],
    [
      'the one with the window after',
      [
        [0, 5],
        [12, 4],
        [12, 4],
        [16, 6],
      ],
      [1],
    ],
    [
      'the first that has a later one',
      [
        [12, 4],
        [5, 7],
        [12, 4],
        [16, 6],
      ],
      [0],
    ],
    [
      'the last that has an earlier one',
      [
        [0, 5],
        [5, 7],
        [12, 4],
        [5, 7],
      ],
      [3],
    ],
    [
      'both of a pair that was exchanged',
      [
        [0, 5],
        [10, 5],
        [5, 5],
        [15, 5],
        [20, 5],
      ],
      [1, 2],
    ],
    [
      'one of two that claim the same',
      [
        [0, 5],
        [0, 5],
      ],
      [1],
    ],
  ])('are %s', (_, windows, expected) => {
    expect(at(...windows)).toEqual(expected);
  });

  it('are found in long files', () => {
    const windows = Array.from({ length: 20_000 }, (_, i) => [i * 10, 10] as [number, number]);
    windows[7000] = [100, 10];
    expect(at(...windows)).toEqual([7000]);
  });
});

import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { gridSide } from '#core/episode';
import { findTurnedPictures } from './picture-similarity.ts';

const random = seededRandom(5);
const picture = () => Array.from({ length: gridSide * gridSide }, () => random.integer(20, 230));
const coded = (grid: readonly number[]) => grid.map((value) => value + random.integer(-2, 2));
const moved = (grid: readonly number[], from: (row: number, column: number) => [number, number]) =>
  grid.map((_, at) => {
    const [row, column] = from(Math.floor(at / gridSide), at % gridSide);
    return grid[row * gridSide + column];
  });
const last = gridSide - 1;

describe('pictures', () => {
  const others = Array.from({ length: 200 }, picture);
  const lies: readonly [string, string, (row: number, column: number) => [number, number]][] = [
    ['left to right', 'mirrored', (row, column) => [row, last - column]],
    ['upside down', 'mirrored', (row, column) => [last - row, column]],
    ['over its diagonal', 'mirrored', (row, column) => [column, row]],
    ['over its other diagonal', 'mirrored', (row, column) => [last - column, last - row]],
    ['by half', 'turned', (row, column) => [last - row, last - column]],
    ['by a quarter', 'turned', (row, column) => [last - column, row]],
    ['by three quarters', 'turned', (row, column) => [column, last - row]],
  ];

  it.each(lies)('mirrored or turned %s and coded again are found', (_, turn, from) => {
    const found = findTurnedPictures([...others, coded(moved(others[17], from))]);
    expect([...found.keys()]).toEqual([200]);
    expect(found.get(200)).toMatchObject({ of: 17, turn });
  });

  it('do not include other pictures, upright copies and uniform pictures', () => {
    const plain = Array.from({ length: 5 }, () => Array.from(others[0], () => 100 + random.integer(0, 5)));
    expect(findTurnedPictures([...others, coded(others[3]), ...plain]).size).toBe(0);
  });

  it('do not include pictures that only share a uniform background', () => {
    const drawing = (...blocks: number[]) =>
      Array.from({ length: gridSide * gridSide }, (_, at) => (blocks.includes(at) ? 200 : 250));
    expect(findTurnedPictures([drawing(18, 19, 27), drawing(20, 21, 37)]).size).toBe(0);
    expect(findTurnedPictures([drawing(18, 19, 27), drawing(21, 20, 28)]).get(1)).toMatchObject({ of: 0 });
  });
});

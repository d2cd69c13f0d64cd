import { expect, it } from 'vitest';
import { projectVectors } from './project-vectors.ts';

it('points lie along the two directions in which vectors differ most, within −1 and 1', () => {
  const vectors = Array.from({ length: 200 }, (_, i) => {
    const [along, across] = [Math.cos(i), Math.sin(2 * i) / 4];
    return [along + across, along - across, 5, 0.001 * Math.sin(7 * i)];
  });
  const points = projectVectors(vectors);
  const sign = Math.sign(points[0][0]);
  for (const [i, [x, y]] of points.entries()) {
    expect(x * sign).toBeCloseTo(Math.cos(i), 1);
    expect(Math.abs(y)).toBeCloseTo(Math.abs(Math.sin(2 * i)) / 4, 1);
  }
  expect(Math.max(...points.flat().map(Math.abs))).toBe(1);
  expect(projectVectors(vectors)).toEqual(points);
});

it('equal vectors are one point, and none give none', () => {
  expect(projectVectors([])).toEqual([]);
  expect(projectVectors([[1, 0]])).toEqual([[0, 0]]);
  const same = projectVectors([
    [0.6, 0.8],
    [0.6, 0.8],
  ]);
  expect(same).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

it('groups of vectors stay apart', () => {
  const points = projectVectors([
    ...Array.from({ length: 20 }, (_, i) => [1, i / 1000, 0]),
    ...Array.from({ length: 20 }, (_, i) => [0, 1, i / 1000]),
  ]);
  expect(Math.abs(points[0][0] - points[39][0])).toBeGreaterThan(1);
  expect(Math.abs(points[0][0] - points[19][0])).toBeLessThan(0.1);
});

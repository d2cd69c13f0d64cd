import { describe, expect, it } from 'vitest';
import { plainFrame } from '#test/support/lane-frames';
import { BoneSteadiness, boundingBox, type Point, toStoredPoint } from './poses.ts';

const square: readonly Point[] = [
  [10, 10],
  [50, 10],
  [50, 50],
  [10, 50],
];
const bones = [
  [0, 1],
  [1, 2],
  [2, 3],
] as const;
const pose = (points: readonly Point[], score = 0.8) => ({ points, score });
const moved = (by_px: number, scale = 1) => square.map(([x, y]): Point => [x * scale + by_px, y * scale]);

const steadinessOf = (frames: readonly (readonly Point[])[]): number | null => {
  const steadiness = new BoneSteadiness(bones);
  for (const points of frames) steadiness.add(points.length === 0 ? [] : [pose(points)]);
  return steadiness.value;
};

describe('poses', () => {
  it('are as steady as their bones keep their length', () => {
    expect(steadinessOf([square, moved(5), moved(10)])).toBeCloseTo(0.8, 9);
    expect(steadinessOf([square, moved(0, 1.5)])).toBe(0);
    expect(steadinessOf([square, moved(3), moved(0, 1.5)])).toBeCloseTo(0.4, 9);
  });

  it('are not compared where none follows, or where nobody saw what lies between', () => {
    expect(steadinessOf([square])).toBeNull();
    expect(steadinessOf([square, [], square])).toBeNull();
    expect(steadinessOf([square, moved(500)])).toBeNull();
    const steadiness = new BoneSteadiness(bones);
    steadiness.add([pose(square)]);
    steadiness.reset();
    steadiness.add([pose(square)]);
    expect(steadiness.value).toBeNull();
  });

  it('lie in px of the stored picture, and inside it', () => {
    const frame = plainFrame(0, [0, 0, 0]);
    expect(toStoredPoint([32, 12], frame)).toEqual([64, 24]);
    expect(toStoredPoint([-4, 60], frame)).toEqual([0, 96]);
    expect(boundingBox(square)).toEqual([10, 10, 40, 40]);
  });
});

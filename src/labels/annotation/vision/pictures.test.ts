import { describe, expect, it } from 'vitest';
import {
  type Picture,
  placeLetterboxed,
  placeRotated,
  placeStretched,
  sampleSquare,
  toPicture,
} from './picture-tensor.ts';

const plain = { mean: [0, 0, 0], deviation: [1, 1, 1] };

/** Black, with a white square of 20 px around a point. */
function marked(width_px: number, height_px: number, [x, y]: readonly [number, number]): Picture {
  const rgb = new Uint8Array(3 * width_px * height_px);
  for (let row = y - 10; row < y + 10; row++)
    rgb.fill(255, 3 * (row * width_px + x - 10), 3 * (row * width_px + x + 10));
  return { width_px, height_px, rgb };
}

/** Returns the centre of the white pixels, in px of the square. */
function middleOf(values: Float32Array, side_px: number): readonly [number, number] {
  const sum = { x: 0, y: 0, all: 0 };
  for (let i = 0; i < side_px * side_px; i++) {
    const weight = values[3 * i];
    sum.x += weight * ((i % side_px) + 0.5);
    sum.y += weight * (Math.floor(i / side_px) + 0.5);
    sum.all += weight;
  }
  return [sum.x / sum.all, sum.y / sum.all];
}

describe('a square that a model sees', () => {
  const places = {
    stretched: placeStretched({ width_px: 640, height_px: 360 }, 192),
    letterboxed: placeLetterboxed({ width_px: 640, height_px: 360 }, 192),
    turned: placeRotated([300, 180], 420, 0.7, 192),
    enlarged: placeRotated([420, 130], 96, -2, 192),
  };
  it.each(Object.entries(places))('is led back to the picture within a pixel: %s', (_, placement) => {
    for (const point of [
      [420, 130],
      [400, 140],
    ] as const) {
      const picture = marked(640, 360, point);
      const values = sampleSquare(picture, placement, plain, 'rows');
      const [x, y] = toPicture(placement, middleOf(values, 192));
      expect(Math.hypot(x - point[0], y - point[1])).toBeLessThan(1);
    }
  });

  it('is black where there is no picture, and keeps the corners of what is there', () => {
    const white = { width_px: 40, height_px: 20, rgb: new Uint8Array(3 * 40 * 20).fill(255) };
    const values = sampleSquare(white, placeLetterboxed(white, 8), plain, 'rows');
    const red = Array.from({ length: 8 }, (_, row) => values[3 * 8 * row]);
    expect(red).toEqual([0, 0, 255, 255, 255, 255, 0, 0]);
  });

  it('is normalised, in rows or in planes', () => {
    const picture = { width_px: 1, height_px: 1, rgb: Uint8Array.of(10, 20, 30) };
    const normal = { mean: [0, 10, 10], deviation: [1, 2, 10] };
    const one = placeStretched(picture, 2);
    expect([...sampleSquare(picture, one, normal, 'rows')]).toEqual([10, 5, 2, 10, 5, 2, 10, 5, 2, 10, 5, 2]);
    expect([...sampleSquare(picture, one, normal, 'planes')]).toEqual([
      10, 10, 10, 10, 5, 5, 5, 5, 2, 2, 2, 2,
    ]);
  });
});

import type { Studio } from './film.ts';
import { pictureSize } from './scene.ts';
import { type Shot, shotKey } from './shot.ts';

const known = new WeakMap<Studio, Map<string, readonly Float64Array[]>>();

/** Counts the pixels of the shots by byte value of red, green and blue (BT.601, limited range). */
export function bytesOf(shots: readonly Shot[], studio: Studio): Float64Array[] {
  const counted = known.get(studio) ?? new Map<string, readonly Float64Array[]>();
  known.set(studio, counted);
  const sums = [0, 1, 2].map(() => new Float64Array(256));
  for (const shot of shots) {
    const key = shotKey(shot);
    const counts = counted.get(key) ?? countBytes(studio.picture(shot));
    counted.set(key, counts);
    sums.forEach((sum, channel) => {
      for (let value = 0; value < 256; value++) sum[value] += counts[channel][value];
    });
  }
  return sums;
}

function countBytes(picture: Uint8Array): Float64Array[] {
  const { width, height } = pictureSize;
  const luma = width * height;
  const [red, green, blue] = [0, 1, 2].map(() => new Float64Array(256));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x += 2) {
      // Two neighbours share their chroma.
      const chroma = luma + (y >> 1) * (width >> 1) + (x >> 1);
      const u = picture[chroma] - 128;
      const v = picture[chroma + (luma >> 2)] - 128;
      for (let i = y * width + x; i < y * width + x + 2; i++) {
        const light = 1.164 * (picture[i] - 16);
        red[byte(light + 1.596 * v)]++;
        green[byte(light - 0.392 * u - 0.813 * v)]++;
        blue[byte(light + 2.017 * u)]++;
      }
    }
  }
  return [red, green, blue];
}

function byte(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0;
}

import { seededRandom } from '#core';

/** Planar YUV 4:2:0 frames of a textured scene with something moving and sensor noise. */
export function movingPicture(width: number, height: number, count: number, noise = 6): Uint8Array[] {
  const random = seededRandom(7);
  return Array.from({ length: count }, (_, k) => {
    const frame = new Uint8Array((width * height * 3) / 2).fill(128);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const scene = 110 + 50 * Math.sin((x + 3 * k) / 9) * Math.cos((y - k) / 7);
        const inBall = (x - 20 - ((5 * k) % (width - 20))) ** 2 + (y - height / 2) ** 2 < 200;
        frame[y * width + x] = (inBall ? 220 : scene) + noise * (random.next() - 0.5);
      }
    }
    return frame;
  });
}

/** The frames with those from `from` to `to` (exclusive) replaced. */
export function replaced(
  frames: readonly Uint8Array[],
  from: number,
  to: number,
  by: (index: number) => Uint8Array,
): Uint8Array[] {
  return frames.map((frame, i) => (i >= from && i < to ? by(i) : frame));
}

/** A black frame as video knows it: luma 16, no colour. */
export function blackFrame(width: number, height: number): Uint8Array {
  return new Uint8Array((width * height * 3) / 2).fill(16, 0, width * height).fill(128, width * height);
}

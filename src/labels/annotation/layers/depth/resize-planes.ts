/** A picture of three bytes a pixel. */
interface Rgb {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
}

/**
 * Planes of red, green and blue, normalised, at another size: bilinear between the centres of pixels (half-pixel centres,
 * edges repeated).
 */
export function planesOf(
  { width_px: width, height_px: height, rgb }: Rgb,
  [toWidth, toHeight]: readonly [number, number],
  { mean, deviation }: { readonly mean: readonly number[]; readonly deviation: readonly number[] },
): Float32Array {
  const columns = taps(width, toWidth);
  const rows = taps(height, toHeight);
  const plane = toWidth * toHeight;
  const out = new Float32Array(3 * plane);
  for (let y = 0; y < toHeight; y++) {
    const { low: top, high: bottom, share: down } = rows[y];
    for (let x = 0; x < toWidth; x++) {
      const { low: left, high: right, share: along } = columns[x];
      for (let c = 0; c < 3; c++) {
        const at = (row: number, column: number) => rgb[3 * (row * width + column) + c];
        const above = at(top, left) + along * (at(top, right) - at(top, left));
        const below = at(bottom, left) + along * (at(bottom, right) - at(bottom, left));
        out[c * plane + y * toWidth + x] = (above + down * (below - above) - mean[c]) / deviation[c];
      }
    }
  }
  return out;
}

interface Tap {
  readonly low: number;
  readonly high: number;
  readonly share: number;
}

const taps = (from: number, to: number): readonly Tap[] =>
  Array.from({ length: to }, (_, i) => {
    const place = Math.min(from - 1, Math.max(0, ((i + 0.5) * from) / to - 0.5));
    const low = Math.floor(place);
    return { low, high: Math.min(from - 1, low + 1), share: place - low };
  });

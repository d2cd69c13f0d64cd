/** A plane of 8-bit luma without padding, row by row. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  /** At least width * height long. */
  readonly data: Uint8Array;
}

/** Width that statistics are taken at. */
export const reducedWidth = 320;

/**
 * The luma at most 320 px wide: means of whole k x k blocks, k the least that fits, so that noise is not mistaken for
 * sharpness. The plane itself where it is small enough. `into` is reused when it has the right size.
 */
export function reduceLuma(luma: Luma, into?: Luma): Luma {
  const k = Math.ceil(luma.width / reducedWidth);
  if (k <= 1) return luma;
  const width = Math.floor(luma.width / k);
  const height = Math.max(1, Math.floor(luma.height / k));
  const fits = into !== undefined && into.width === width && into.height === height;
  const out = fits ? into : { width, height, data: new Uint8Array(width * height) };
  if (k === 2 && luma.height >= 2) halve(luma, out);
  else meanBlocks(luma, out, k, Math.min(k, luma.height));
  return out;
}

function halve(luma: Luma, out: Luma): void {
  const { data, width: stride } = luma;
  let o = 0;
  for (let y = 0; y < out.height; y++) {
    let i = 2 * y * stride;
    for (let x = 0; x < out.width; x++, i += 2) {
      out.data[o++] = (data[i] + data[i + 1] + data[i + stride] + data[i + stride + 1] + 2) >> 2;
    }
  }
}

function meanBlocks(luma: Luma, out: Luma, k: number, rows: number): void {
  const { data, width: stride } = luma;
  const n = k * rows;
  let o = 0;
  for (let y = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++) {
      let sum = n >> 1;
      for (let r = 0; r < rows; r++) {
        const start = (y * rows + r) * stride + x * k;
        for (let c = 0; c < k; c++) sum += data[start + c];
      }
      out.data[o++] = (sum / n) | 0;
    }
  }
}

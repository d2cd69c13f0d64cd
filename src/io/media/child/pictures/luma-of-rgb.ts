import type { Luma } from '../luma.ts';

/** Luma by ITU-R BT.601, which JPEG and most cameras use: Y = 0.299 R + 0.587 G + 0.114 B, in 16-bit fixed point. */
export function lumaOfRgb(data: Uint8Array, width: number, height: number, channels: number): Luma {
  const n = width * height;
  if (channels <= 2) return { width, height, data: channels === 1 ? data : everySecond(data, n) };
  const luma = new Uint8Array(n);
  for (let i = 0, o = 0; o < n; i += channels, o++) {
    luma[o] = (19595 * data[i] + 38470 * data[i + 1] + 7471 * data[i + 2] + 32768) >> 16;
  }
  return { width, height, data: luma };
}

/** Grey with alpha. */
function everySecond(data: Uint8Array, n: number): Uint8Array {
  const luma = new Uint8Array(n);
  for (let i = 0; i < n; i++) luma[i] = data[2 * i];
  return luma;
}

import { AssayError, sha256, significant } from '#core';

/** Depth of one frame; NaN where there is none. */
export interface DepthMap {
  readonly width_px: number;
  readonly height_px: number;
  readonly values: Float32Array;
}

/** Sixteen bits a pixel, and how they are read: `offset + scale * sample`; a sample of 0 means no depth. */
export interface DepthSamples {
  readonly samples: Uint16Array;
  readonly scale: number;
  readonly offset: number;
}

const most = 65_535;

/** Samples of values that are lengths, in steps of `step`, or in larger ones where they reach farther than that. */
export function lengthSamples({ values }: DepthMap, step: number): DepthSamples {
  let largest = 0;
  for (const value of values) if (value > largest && value < Number.POSITIVE_INFINITY) largest = value;
  let scale = step;
  while (largest / scale > most + 0.5) scale *= 10;
  scale = significant(scale);
  const samples = Uint16Array.from(values, (value) =>
    value > 0 && value < Number.POSITIVE_INFINITY ? Math.min(most, Math.round(value / scale)) : 0,
  );
  return { samples, scale, offset: 0 };
}

/** Samples of values without a unit: from the least, which becomes 1, to the greatest. */
export function rangeSamples({ values }: DepthMap): DepthSamples {
  const { least, greatest } = rangeOf(values);
  if (least > greatest) return { samples: new Uint16Array(values.length), scale: 1, offset: 0 };
  const scale = greatest > least ? (greatest - least) / (most - 1) : 1;
  const offset = least - scale;
  const samples = Uint16Array.from(values, (value) =>
    Number.isFinite(value) ? Math.min(most, Math.max(1, Math.round((value - offset) / scale))) : 0,
  );
  return { samples, scale: significant(scale, 12), offset: significant(offset, 12) };
}

/** Least and greatest of the finite values; the least is above the greatest where there are none. */
export function rangeOf(values: Float32Array): { readonly least: number; readonly greatest: number } {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return { least, greatest };
}

/** Of samples that are depths: those below which such shares of them lie; null where there is none. */
export function sampleQuantiles<Shares extends readonly number[]>(
  samples: Uint16Array,
  shares: Shares,
): { readonly [At in keyof Shares]: number } | null {
  const counts = new Uint32Array(most + 1);
  let valid = 0;
  for (const sample of samples) {
    if (sample === 0) continue;
    counts[sample]++;
    valid++;
  }
  if (valid === 0) return null;
  const at = (share: number): number => {
    let left = Math.floor(share * (valid - 1)) + 1;
    let sample = 0;
    while (left > 0) left -= counts[++sample];
    return sample;
  };
  return shares.map(at) as { readonly [At in keyof Shares]: number };
}

/** SHA-256 of samples, least significant byte first: what a PNG holds whatever packed it. */
export const hashOf = (samples: Uint16Array): string =>
  sha256(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));

/** A PNG of 16 bits a pixel. */
export async function pngOf({ width_px, height_px }: DepthMap, samples: Uint16Array): Promise<Uint8Array> {
  if (samples.length !== width_px * height_px || samples.length === 0)
    throw new AssayError('unreadable_input', `a depth map of ${width_px}x${height_px} px is not whole`);
  const { default: sharp } = await import('sharp');
  const raw = { width: width_px, height: height_px, channels: 1 } as const;
  return sharp(samples, { raw }).toColourspace('grey16').png().toBuffer();
}

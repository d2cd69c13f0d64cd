import { AssayError, sha256, significant } from '#core';

/** Depth map of one frame; NaN for pixels without depth. */
export interface DepthMap {
  readonly width_px: number;
  readonly height_px: number;
  readonly values: Float32Array;
}

/** 16-bit samples with scale and offset: depth = `offset + scale * sample`; sample 0 means no depth. */
export interface DepthSamples {
  readonly samples: Uint16Array;
  readonly scale: number;
  readonly offset: number;
}

const maxSample = 65_535;

/**
 * Quantises lengths in steps of `step`; invalid ones (not positive or infinite) become 0, and the step grows by
 * powers of ten until the largest value fits 16 bits.
 */
export function quantiseLengths({ values }: DepthMap, step: number): DepthSamples {
  let largest = 0;
  for (const value of values) if (value > largest && value < Number.POSITIVE_INFINITY) largest = value;
  let scale = step;
  while (largest / scale > maxSample + 0.5) scale *= 10;
  scale = significant(scale);
  const samples = Uint16Array.from(values, (value) =>
    value > 0 && value < Number.POSITIVE_INFINITY ? Math.min(maxSample, Math.round(value / scale)) : 0,
  );
  return { samples, scale, offset: 0 };
}

/**
 * Quantises unitless values linearly so that the minimum maps to 1 and the maximum to 65535; non-finite values map to
 * 0, as do all if none is finite.
 */
export function quantiseRange({ values }: DepthMap): DepthSamples {
  const { min, max } = finiteRange(values);
  if (min > max) return { samples: new Uint16Array(values.length), scale: 1, offset: 0 };
  const scale = max > min ? (max - min) / (maxSample - 1) : 1;
  const offset = min - scale;
  const samples = Uint16Array.from(values, (value) =>
    Number.isFinite(value) ? Math.min(maxSample, Math.max(1, Math.round((value - offset) / scale))) : 0,
  );
  return { samples, scale: significant(scale, 12), offset: significant(offset, 12) };
}

/** Returns the minimum and maximum of the finite values; minimum exceeds maximum if there are none. */
export function finiteRange(values: Float32Array): { readonly min: number; readonly max: number } {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

/**
 * Returns quantiles of the non-zero samples at the given fractions, the lower of two neighbours; `null` if there are
 * none.
 */
export function sampleQuantiles<Shares extends readonly number[]>(
  samples: Uint16Array,
  shares: Shares,
): { readonly [At in keyof Shares]: number } | null {
  const counts = new Uint32Array(maxSample + 1);
  let valid = 0;
  for (const sample of samples) {
    if (sample === 0) continue;
    counts[sample]++;
    valid++;
  }
  if (valid === 0) return null;
  const at = (share: number): number => {
    let remaining = Math.floor(share * (valid - 1)) + 1;
    let sample = 0;
    while (remaining > 0) remaining -= counts[++sample];
    return sample;
  };
  return shares.map(at) as { readonly [At in keyof Shares]: number };
}

/**
 * Returns the SHA-256 (hexadecimal) of the samples' bytes in memory order, so that it does not depend on the PNG
 * encoder.
 */
export const hashSamples = (samples: Uint16Array): string =>
  sha256(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));

/**
 * Encodes samples as a 16-bit greyscale PNG of the map's size; throws `unreadable_input` if their number does not
 * match the size, or is zero.
 */
export async function encodePng(
  { width_px, height_px }: DepthMap,
  samples: Uint16Array,
): Promise<Uint8Array> {
  if (samples.length !== width_px * height_px || samples.length === 0)
    throw new AssayError('unreadable_input', `truncated depth map (${width_px}x${height_px} px)`);
  const { default: sharp } = await import('sharp');
  const raw = { width: width_px, height: height_px, channels: 1 } as const;
  return sharp(samples, { raw }).toColourspace('grey16').png().toBuffer();
}

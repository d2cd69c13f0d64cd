import { significant } from '#core';
import type { Column } from './sketch-types.ts';

/** Minimum ratio of the whole range to the bulk's range for outliers to be stored separately. */
const minOutlierRatio = 200;
/** Fraction of the bucket extremes excluded at each end to find the bulk's range. */
const tailFraction = 0.02;
/** Minimum range in mean deviations for outliers to be possible; avoids sorting otherwise. */
const minDeviationRatio = 50;

interface ColumnBuckets {
  readonly samples: number;
  readonly count: number;
  readonly starts: Uint32Array | null;
}

let extremes = new Float64Array(1024);
let codes = new Uint16Array(1024);

/**
 * Reduces dimension `d` of row-major `values` to the minimum and maximum of each bucket, quantized to 12-bit codes,
 * with far outliers stored separately unless `keepRange`. Without outliers, `low`..`high` spans the bulk. Reuses
 * memory between calls, so it is not reentrant.
 */
export function sketchColumn(
  values: Float32Array | Float64Array,
  dims: number,
  d: number,
  buckets: ColumnBuckets,
  keepRange = false,
): Column {
  const slots = buckets.starts === null ? buckets.count : 2 * buckets.count;
  if (extremes.length < slots) {
    extremes = new Float64Array(slots);
    codes = new Uint16Array(slots);
  }
  const broken =
    buckets.starts === null
      ? copySamples(values, dims, d, buckets.count)
      : copyExtremes(values, dims, d, buckets.starts);
  return encodeColumn(slots, buckets.starts === null ? 1 : 2, broken, keepRange);
}

/** Copies one sample per bucket. Returns the buckets without a finite number. */
function copySamples(values: Float32Array | Float64Array, dims: number, d: number, count: number): number[] {
  const broken: number[] = [];
  for (let i = 0, at = d; i < count; i++, at += dims) {
    const value = values[at];
    extremes[i] = value;
    // NaN and infinities are the only numbers that differ from themselves when subtracted.
    if (value - value !== 0) {
      extremes[i] = Number.NaN;
      broken.push(i);
    }
  }
  return broken;
}

function copyExtremes(
  values: Float32Array | Float64Array,
  dims: number,
  d: number,
  starts: Uint32Array,
): number[] {
  const broken: number[] = [];
  const count = starts.length - 1;
  for (let bucket = 0; bucket < count; bucket++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let allFinite = true;
    const end = starts[bucket + 1] * dims + d;
    for (let at = starts[bucket] * dims + d; at < end; at += dims) {
      const value = values[at];
      if (value - value !== 0) allFinite = false;
      else {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    extremes[2 * bucket] = low <= high ? low : Number.NaN;
    extremes[2 * bucket + 1] = low <= high ? high : Number.NaN;
    if (!allFinite) broken.push(bucket);
  }
  return broken;
}

function encodeColumn(slots: number, perBucket: 1 | 2, broken: number[], keepRange: boolean): Column {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < slots; i++) {
    const value = extremes[i];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const rest = broken.length > 0 ? { broken } : {};
  if (!(high > low)) {
    const level = high === low ? significant(high, 9) : 0;
    const codesText = broken.length > 0 ? packLevelCodes(slots) : null;
    return { low: level, high: level, codes: codesText, ...rest };
  }
  const bulk =
    !keepRange && high - low > minDeviationRatio * computeMeanDeviation(slots)
      ? findBulkRange(slots, low, high)
      : null;
  if (bulk === null) {
    quantise(slots, low, high);
    return { low: significant(low, 9), high: significant(high, 9), codes: packCodes(codes, slots), ...rest };
  }
  quantise(slots, bulk.low, bulk.high);
  const outliers = collectOutliers(slots, perBucket, bulk);
  return { low: bulk.low, high: bulk.high, codes: packCodes(codes, slots), ...rest, outliers };
}

function packLevelCodes(slots: number): string {
  for (let i = 0; i < slots; i++) codes[i] = Number.isNaN(extremes[i]) ? 0 : 1;
  return packCodes(codes, slots);
}

function quantise(slots: number, low: number, high: number): void {
  const scale = (topCode - 1) / (high - low);
  for (let i = 0; i < slots; i++) {
    const code = (extremes[i] - low) * scale + 1.5;
    codes[i] = code >= 1 ? (code <= topCode ? code : topCode) : extremes[i] < low ? 1 : 0;
  }
}

function computeMeanDeviation(slots: number): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < slots; i++) {
    if (!Number.isNaN(extremes[i])) {
      sum += extremes[i];
      count++;
    }
  }
  const mean = sum / count;
  let deviation = 0;
  for (let i = 0; i < slots; i++) {
    const off = extremes[i] - mean;
    if (off > 0) deviation += off;
    else if (off < 0) deviation -= off;
  }
  return deviation / count;
}

/** Returns the range of the bulk if outliers would make the rest look like a flat line; else `null`. */
function findBulkRange(slots: number, low: number, high: number): { low: number; high: number } | null {
  const sorted = extremes.slice(0, slots).sort();
  let count = slots;
  while (count > 0 && Number.isNaN(sorted[count - 1])) count--;
  const cut = Math.max(1, Math.floor(tailFraction * count));
  const from = sorted[cut];
  const to = sorted[count - 1 - cut];
  if (!(to > from) || high - low < minOutlierRatio * (to - from)) return null;
  const margin = 0.1 * (to - from);
  return { low: significant(from - margin, 9), high: significant(to + margin, 9) };
}

function collectOutliers(
  slots: number,
  perBucket: 1 | 2,
  bulk: { low: number; high: number },
): [number, number, number][] {
  const out: [number, number, number][] = [];
  for (let i = 0; i < slots; i += perBucket) {
    const minimum = extremes[i];
    const maximum = extremes[i + perBucket - 1];
    if (minimum < bulk.low || maximum > bulk.high) {
      out.push([i / perBucket, significant(minimum, 9), significant(maximum, 9)]);
    }
  }
  return out;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Highest 12-bit code; code 0 means "no number". */
const topCode = 4095;
/** Highest 18-bit code of a timestamp. */
const topStamp = 262_143;

const base64Characters = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
/** Both characters of each 12-bit code in memory order, so that a code is written with one store. */
const codePairs = new Uint16Array(topCode + 1);
const pairBytes = new Uint8Array(codePairs.buffer);
for (let code = 0; code <= topCode; code++) {
  pairBytes[2 * code] = base64Characters[code >>> 6];
  pairBytes[2 * code + 1] = base64Characters[code & 63];
}

let scratch = new Uint16Array(4096);

function reserveScratch(characters: number): Uint16Array {
  if (scratch.length * 2 < characters) scratch = new Uint16Array(characters);
  return scratch;
}

function readScratchText(characters: number): string {
  return Buffer.from(scratch.buffer, 0, characters).toString('latin1');
}

/** Returns the first `count` codes (0..4095) as text, two base64 characters each. */
export function packCodes(codes: Uint16Array, count: number): string {
  const out = reserveScratch(2 * count);
  for (let i = 0; i < count; i++) out[i] = codePairs[codes[i]];
  return readScratchText(2 * count);
}

/** Returns the first `count` timestamps as text, three base64 characters each, quantized evenly over `from`..`to`. */
export function packStamps(stamps: Float64Array, count: number, from: number, to: number): string {
  const bytes = new Uint8Array(reserveScratch(3 * count).buffer);
  const scale = to > from ? topStamp / (to - from) : 0;
  for (let i = 0, at = 0; i < count; i++, at += 3) {
    const code = Math.round((stamps[i] - from) * scale);
    bytes[at] = base64Characters[code >>> 12];
    bytes[at + 1] = base64Characters[(code >>> 6) & 63];
    bytes[at + 2] = base64Characters[code & 63];
  }
  return readScratchText(3 * count);
}

import { significant } from '#core';
import { packCodes, topCode } from './pack.ts';
import type { Column } from './sketch-types.ts';

/** Spread of the whole over spread of the bulk from which single values are told apart from the bulk. */
const farAway = 200;
/** Share of the bucket extremes left out at either end when the bulk's spread is looked for. */
const tail = 0.02;
/** Total spread in mean deviations below which nothing can be far away; spares the sort. */
const suspicious = 50;

interface ColumnBuckets {
  readonly samples: number;
  readonly count: number;
  readonly starts: Uint32Array | null;
}

let extremes = new Float64Array(1024);
let codes = new Uint16Array(1024);

/**
 * Dimension `d` of row-major `values` reduced to the least and greatest number of each bucket. Where a few values lie far
 * away they are kept apart and `low`..`high` spans the bulk, unless `whole`. Memory is reused between calls: not to be
 * entered twice at once.
 */
export function sketchColumn(
  values: Float32Array | Float64Array,
  dims: number,
  d: number,
  buckets: ColumnBuckets,
  whole = false,
): Column {
  const slots = buckets.starts === null ? buckets.count : 2 * buckets.count;
  if (extremes.length < slots) {
    extremes = new Float64Array(slots);
    codes = new Uint16Array(slots);
  }
  const broken =
    buckets.starts === null
      ? copyValues(values, dims, d, buckets.count)
      : envelope(values, dims, d, buckets.starts);
  return encode(slots, buckets.starts === null ? 1 : 2, broken, whole);
}

/** One sample a bucket. Returns the buckets that hold no finite number. */
function copyValues(values: Float32Array | Float64Array, dims: number, d: number, count: number): number[] {
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

function envelope(
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
    let whole = true;
    const end = starts[bucket + 1] * dims + d;
    for (let at = starts[bucket] * dims + d; at < end; at += dims) {
      const value = values[at];
      if (value - value !== 0) whole = false;
      else {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    extremes[2 * bucket] = low <= high ? low : Number.NaN;
    extremes[2 * bucket + 1] = low <= high ? high : Number.NaN;
    if (!whole) broken.push(bucket);
  }
  return broken;
}

function encode(slots: number, perBucket: 1 | 2, broken: number[], whole: boolean): Column {
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
    const codesText = broken.length > 0 ? levelCodes(slots) : null;
    return { low: level, high: level, codes: codesText, ...rest };
  }
  const bulk = !whole && high - low > suspicious * meanDeviation(slots) ? bulkOf(slots, low, high) : null;
  if (bulk === null) {
    quantise(slots, low, high);
    return { low: significant(low, 9), high: significant(high, 9), codes: packCodes(codes, slots), ...rest };
  }
  quantise(slots, bulk.low, bulk.high);
  const outliers = outliersOf(slots, perBucket, bulk);
  return { low: bulk.low, high: bulk.high, codes: packCodes(codes, slots), ...rest, outliers };
}

function levelCodes(slots: number): string {
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

function meanDeviation(slots: number): number {
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

/** The range of the bulk where a few values lie so far away that the rest would be drawn as a flat line. */
function bulkOf(slots: number, low: number, high: number): { low: number; high: number } | null {
  const sorted = extremes.slice(0, slots).sort();
  let count = slots;
  while (count > 0 && Number.isNaN(sorted[count - 1])) count--;
  const cut = Math.max(1, Math.floor(tail * count));
  const from = sorted[cut];
  const to = sorted[count - 1 - cut];
  if (!(to > from) || high - low < farAway * (to - from)) return null;
  const margin = 0.1 * (to - from);
  return { low: significant(from - margin, 9), high: significant(to + margin, 9) };
}

function outliersOf(
  slots: number,
  perBucket: 1 | 2,
  bulk: { low: number; high: number },
): [number, number, number][] {
  const out: [number, number, number][] = [];
  for (let i = 0; i < slots; i += perBucket) {
    const least = extremes[i];
    const greatest = extremes[i + perBucket - 1];
    if (least < bulk.low || greatest > bulk.high) {
      out.push([i / perBucket, significant(least, 9), significant(greatest, 9)]);
    }
  }
  return out;
}

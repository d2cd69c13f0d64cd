import { maxRepeatBytes, type SpanPackets } from './unchanged-runs.ts';

/** Spans up to this number of frames are decoded whole. */
const maxWholeFrames = 24;
/** The same limit if key frames are rare, since reaching samples then costs nearly as much as decoding all. */
const maxWholeFramesRareKeys = 120;
/**
 * Number of bursts in spans of up to 1,000 frames; it grows with the square root of longer spans, up to the maximum.
 */
const baseBurstCount = 8;
const maxBursts = 48;
/** Key frame distance in frames up to which every frame is cheap to reach. */
const maxShortGroup = 12;
/** Frames of one burst (two pairs). If key frames are rare, fewer and longer bursts are used, up to the maximum. */
const burstFrames = 3;
const maxBurstFrames = 12;
/**
 * For key frame distances of up to 3 frames, the pair of a key frame and its successor shows repeats exactly: between
 * two key frames the coding differs even if the picture does not.
 */
const maxTinyGroup = 3;
const tinyBurstFrames = 2;
/**
 * In the parts with most motion some bursts are longer and cover the frames between such pairs, because a camera at
 * half rate may repeat only there.
 */
const tinyLongBurstFrames = 4;
const tinyLongBurstCount = 3;
/** Frames of one burst if every frame is a key: enough to compare a pair with the motion around it. */
const intraBurstFrames = 5;
/** Maximum number of suspicious frames sampled in addition. */
const maxSuspects = 4;

/**
 * Chooses the frames of a span to decode first (0-based, ascending): bursts of consecutive frames spread over it, its
 * start, its end if that is cheap, and frames with unusually small packets, which may be repeated or black.
 */
export function planSamples(span: SpanPackets): number[] {
  if (span.count <= (hasRareKeys(span) ? maxWholeFramesRareKeys : maxWholeFrames))
    return range(0, span.count);
  const selected = new Set<number>([0, 1]);
  for (const start of burstStarts(span)) {
    for (let i = start.from; i < Math.min(span.count, start.from + start.length); i++) selected.add(i);
  }
  const lastKey = span.key.lastIndexOf(1);
  if (span.count - lastKey <= maxWholeFrames) selected.add(span.count - 2).add(span.count - 1);
  for (const at of findSuspects(span)) selected.add(at - 1).add(at);
  return [...selected].filter((i) => i >= 0).sort((a, b) => a - b);
}

function burstStarts(span: SpanPackets): { from: number; length: number }[] {
  const keys = keyIndices(span);
  const number = Math.min(maxBursts, Math.round(baseBurstCount * Math.max(1, Math.sqrt(span.count / 1000))));
  if (keys.length === 0) return [{ from: 0, length: burstFrames }];
  const starts = new Set<number>();
  for (let i = 0; i < number; i++) starts.add(lastAtOrBefore(keys, ((i + 0.5) * span.count) / number));
  const length = burstLength(span, number, starts.size, keys.length);
  const longer = length === tinyBurstFrames ? new Set(activeStarts(span, [...starts])) : null;
  return [...starts].map((from) => ({ from, length: longer?.has(from) ? tinyLongBurstFrames : length }));
}

/** Returns the burst starts with the largest dependent packets, which means most motion. */
function activeStarts(span: SpanPackets, starts: readonly number[]): number[] {
  const bytes = (from: number) => {
    let sum = 0;
    for (let i = from; i < from + tinyLongBurstFrames; i++) if (span.key[i] === 0) sum += span.bytes[i];
    return sum;
  };
  return [...starts].sort((a, b) => bytes(b) - bytes(a) || a - b).slice(0, tinyLongBurstCount);
}

function burstLength(span: SpanPackets, selected: number, found: number, keys: number): number {
  if (hasRareKeys(span))
    return Math.min(maxBurstFrames, Math.max(burstFrames, Math.round((selected * burstFrames) / found)));
  if (keys === span.count) return intraBurstFrames;
  return span.count / keys <= maxTinyGroup ? tinyBurstFrames : burstFrames;
}

function hasRareKeys(span: SpanPackets): boolean {
  return span.count / Math.max(1, keyIndices(span).length) > maxShortGroup;
}

function keyIndices(span: SpanPackets): number[] {
  const keys: number[] = [];
  for (let i = 0; i < span.count; i++) if (span.key[i] === 1) keys.push(i);
  return keys;
}

/** Returns the last element of `sorted` at or before `value`; the first one if all are larger. */
function lastAtOrBefore(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return sorted[low];
}

/** Packets below this size only refer to an earlier frame and are ignored. */
const minPacketBytes = 8;
/**
 * Fractions of the median packet size: a dependent packet below it may be a repeat, a key packet below it a blank
 * picture.
 */
const smallDependentFraction = 0.1;
const smallKeyFraction = 0.5;

/**
 * Returns frames whose packet is far smaller than usual, or whose key packet has exactly the size of the previous key
 * packet.
 */
function findSuspects(span: SpanPackets): number[] {
  const medianKey = medianBytes(span, 1);
  const medianDependent = medianBytes(span, 0);
  const smallest = maxRepeatBytes(span.pixels);
  const found: { at: number; share: number }[] = [];
  let lastKeyBytes = -1;
  for (let i = 0; i < span.count; i++) {
    const bytes = span.bytes[i];
    if (bytes < minPacketBytes) continue;
    if (span.key[i] === 1) {
      const share = bytes === lastKeyBytes ? 0 : bytes / medianKey;
      if (share < smallKeyFraction) found.push({ at: i, share });
      lastKeyBytes = bytes;
    } else if (bytes <= smallest || bytes < smallDependentFraction * medianDependent) {
      found.push({ at: i, share: bytes / medianDependent });
    }
  }
  found.sort((a, b) => a.share - b.share || a.at - b.at);
  const apart = span.count / (4 * maxSuspects);
  const selectedSuspects: number[] = [];
  for (const { at } of found) {
    if (selectedSuspects.length === maxSuspects) break;
    if (selectedSuspects.every((other) => Math.abs(other - at) >= apart)) selectedSuspects.push(at);
  }
  return selectedSuspects;
}

/** Wider limits than for samples, because encoders refine the start of a frozen span over a few frames. */
const maxCandidateBytes = (pixels: number) => 64 + pixels / 10_000;
const maxCandidateFraction = 0.25;

/**
 * Returns all frames that may repeat the previous one, judged by packet size. Key frames count if a neighbour does, or
 * if they have exactly the size of the previous key frame.
 */
export function repeatCandidates(span: SpanPackets): number[] {
  const limit = Math.max(maxCandidateBytes(span.pixels), maxCandidateFraction * medianBytes(span, 0));
  const small = (i: number) => i >= 0 && i < span.count && span.key[i] === 0 && span.bytes[i] <= limit;
  const found: number[] = [];
  let lastKeyBytes = -1;
  for (let i = 0; i < span.count; i++) {
    if (span.key[i] === 0) {
      if (small(i)) found.push(i);
      continue;
    }
    if (i > 0 && (small(i - 1) || small(i + 1) || span.bytes[i] === lastKeyBytes)) found.push(i);
    lastKeyBytes = span.bytes[i];
  }
  return found;
}

function medianBytes(span: SpanPackets, key: 0 | 1): number {
  const sizes = span.bytes.filter((_, i) => span.key[i] === key).sort();
  return sizes.length === 0 ? 1 : Math.max(1, sizes[sizes.length >> 1]);
}

/** Returns the integers from `from` up to but excluding `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

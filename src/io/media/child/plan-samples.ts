/** What is known of a span without decoding, one entry a shown frame. */
export interface SpanPackets {
  readonly count: number;
  /** 1 where decoding can start. */
  readonly key: Uint8Array;
  readonly bytes: Int32Array;
  /** Pixels of a frame. */
  readonly pixels: number;
}

/** Spans this short are decoded whole. */
const shortSpan = 24;
/** Spans this short are decoded whole where key frames are rare, since reaching a sample costs nearly as much. */
const shortRareSpan = 120;
/** Bursts in a span of up to a thousand frames; more, by the square root, in longer ones, up to `mostBursts`. */
const bursts = 8;
const mostBursts = 48;
/** Key frames at most this far apart are cheap to reach everywhere. */
const shortGroup = 12;
/** Frames of one burst: two pairs. Where key frames are rare, longer bursts make up for fewer of them. */
const burst = 3;
const longestBurst = 12;
/**
 * Where every second or third frame is a key frame, the pair of a key frame and the next is what shows a repeat
 * exactly: between two key frames the coding differs even when the picture does not.
 */
const tinyGroup = 3;
const tinyBurst = 2;
/** Where most moves, some bursts take in what lies between such pairs: a camera at half the rate may repeat only there. */
const tinyLongBurst = 4;
const tinyLongBursts = 3;
/** Suspicious places looked at on top. */
const mostSuspects = 4;

/**
 * The frames of a span (0-based, ascending) to decode first: bursts of neighbours spread over it, its beginning, its
 * end where that is cheap, and places whose packets are oddly small, as those of repeated or black frames are.
 */
export function planSamples(span: SpanPackets): number[] {
  if (span.count <= (keysAreRare(span) ? shortRareSpan : shortSpan)) return range(0, span.count);
  const wanted = new Set<number>([0, 1]);
  for (const start of burstStarts(span)) {
    for (let i = start.from; i < Math.min(span.count, start.from + start.length); i++) wanted.add(i);
  }
  const lastKey = span.key.lastIndexOf(1);
  if (span.count - lastKey <= shortSpan) wanted.add(span.count - 2).add(span.count - 1);
  for (const at of suspects(span)) wanted.add(at - 1).add(at);
  return [...wanted].filter((i) => i >= 0).sort((a, b) => a - b);
}

function burstStarts(span: SpanPackets): { from: number; length: number }[] {
  const keys = indicesOfKeys(span);
  const number = Math.min(mostBursts, Math.round(bursts * Math.max(1, Math.sqrt(span.count / 1000))));
  if (keys.length === 0) return [{ from: 0, length: burst }];
  const starts = new Set<number>();
  for (let i = 0; i < number; i++) starts.add(nearestBefore(keys, ((i + 0.5) * span.count) / number));
  const length = burstLength(span, number, starts.size, keys.length);
  const longer = length === tinyBurst ? new Set(liveliest(span, [...starts])) : null;
  return [...starts].map((from) => ({ from, length: longer?.has(from) ? tinyLongBurst : length }));
}

/** The starts whose next dependent packets are largest. */
function liveliest(span: SpanPackets, starts: readonly number[]): number[] {
  const bytes = (from: number) => {
    let sum = 0;
    for (let i = from; i < from + tinyLongBurst; i++) if (span.key[i] === 0) sum += span.bytes[i];
    return sum;
  };
  return [...starts].sort((a, b) => bytes(b) - bytes(a) || a - b).slice(0, tinyLongBursts);
}

function burstLength(span: SpanPackets, wanted: number, found: number, keys: number): number {
  if (keysAreRare(span)) return Math.min(longestBurst, Math.max(burst, Math.round((wanted * burst) / found)));
  return span.count / keys <= tinyGroup && keys < span.count ? tinyBurst : burst;
}

function keysAreRare(span: SpanPackets): boolean {
  return span.count / Math.max(1, indicesOfKeys(span).length) > shortGroup;
}

function indicesOfKeys(span: SpanPackets): number[] {
  const keys: number[] = [];
  for (let i = 0; i < span.count; i++) if (span.key[i] === 1) keys.push(i);
  return keys;
}

/** Last of `sorted` at or before `value`; the first when there is none. */
function nearestBefore(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return sorted[low];
}

/**
 * A repeated picture is coded as "nothing changed": 10 to 32 bytes in small pictures for x264, x265, SVT-AV1, libvpx
 * a little more in large ones. Packets up to this size may be repeats. Fewer bytes than `leastBytes` only
 * point at a frame coded before and say nothing.
 */
const repeatBytes = (pixels: number) => 34 + pixels / 20_000;
const leastBytes = 8;
/** A dependent packet below this share of the median may be a repeat too; a key packet, a blank picture. */
const smallDependent = 0.1;
const smallKey = 0.5;

/** Frames whose packet is far smaller than usual, or a key packet as large to the byte as the one before. */
function suspects(span: SpanPackets): number[] {
  const medianKey = medianBytes(span, 1);
  const medianDependent = medianBytes(span, 0);
  const smallest = repeatBytes(span.pixels);
  const found: { at: number; share: number }[] = [];
  let lastKeyBytes = -1;
  for (let i = 0; i < span.count; i++) {
    const bytes = span.bytes[i];
    if (bytes < leastBytes) continue;
    if (span.key[i] === 1) {
      const share = bytes === lastKeyBytes ? 0 : bytes / medianKey;
      if (share < smallKey) found.push({ at: i, share });
      lastKeyBytes = bytes;
    } else if (bytes <= smallest || bytes < smallDependent * medianDependent) {
      found.push({ at: i, share: bytes / medianDependent });
    }
  }
  found.sort((a, b) => a.share - b.share || a.at - b.at);
  const apart = span.count / (4 * mostSuspects);
  const chosen: number[] = [];
  for (const { at } of found) {
    if (chosen.length === mostSuspects) break;
    if (chosen.every((other) => Math.abs(other - at) >= apart)) chosen.push(at);
  }
  return chosen;
}

/** More generous than for samples: beginnings of frozen spans are refined over a few frames. */
const candidateBytes = (pixels: number) => 64 + pixels / 10_000;
const candidateShare = 0.25;

/**
 * All frames that may repeat the one before, as far as packets tell: an encoder spends next to nothing on a picture
 * that did not change. Key frames count when a neighbour does, or when they are as large to the byte as the one
 * before.
 */
export function repeatCandidates(span: SpanPackets): number[] {
  const limit = Math.max(candidateBytes(span.pixels), candidateShare * medianBytes(span, 0));
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

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

/** What is known of a span without decoding, one entry a shown frame. */
export interface SpanPackets {
  readonly count: number;
  /** 1 where decoding can start. */
  readonly key: Uint8Array;
  readonly bytes: Int32Array;
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
  const rare = keysAreRare(span);
  const length = rare
    ? Math.min(longestBurst, Math.max(burst, Math.round((number * burst) / starts.size)))
    : burst;
  return [...starts].map((from) => ({ from, length }));
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

/** A dependent packet below this share of the median of its kind may be a repeat; a key packet, a blank picture. */
const smallDependent = 0.4;
const smallKey = 0.6;

/** Frames whose packet is far smaller than usual, or a key packet as large to the byte as the one before. */
function suspects(span: SpanPackets): number[] {
  const medianKey = medianBytes(span, 1);
  const medianDependent = medianBytes(span, 0);
  const found: { at: number; share: number }[] = [];
  let lastKeyBytes = -1;
  for (let i = 0; i < span.count; i++) {
    const isKey = span.key[i] === 1;
    const share = span.bytes[i] / (isKey ? medianKey : medianDependent);
    if (isKey && span.bytes[i] === lastKeyBytes) found.push({ at: i, share: 0 });
    else if (share < (isKey ? smallKey : smallDependent)) found.push({ at: i, share });
    if (isKey) lastKeyBytes = span.bytes[i];
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

function medianBytes(span: SpanPackets, key: 0 | 1): number {
  const sizes = span.bytes.filter((_, i) => span.key[i] === key).sort();
  return sizes.length === 0 ? 1 : Math.max(1, sizes[sizes.length >> 1]);
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

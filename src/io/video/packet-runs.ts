/** A coded frame as its container lists it, in decoding order. Times are ticks of the stream's time base. */
export interface ListedPacket {
  readonly pts: number;
  readonly dts: number;
  readonly duration: number;
  readonly key: boolean;
}

/** Frames that are wanted: those shown from `from` on, before `until`. In ticks. */
export interface TickSpan {
  readonly from: number;
  readonly until: number;
}

/** Packets that are copied together: places in decoding order, both inclusive. */
export interface PacketRun {
  readonly first: number;
  readonly last: number;
}

/**
 * The fewest packets from which every frame of the spans decodes to the same picture: for each span from the key frame
 * at or before its first frame to the last packet of it in decoding order. Runs that touch are one. A span that holds
 * no frame gives no run.
 */
export function packetRuns(packets: readonly ListedPacket[], spans: readonly TickSpan[]): PacketRun[] {
  const index = indexOf(packets);
  const runs = spans.flatMap((span) => runOf(packets, index, span) ?? []).sort((a, b) => a.first - b.first);
  const joined: PacketRun[] = [];
  for (const run of runs) {
    const before = joined.at(-1);
    if (before === undefined || run.first > before.last + 1) joined.push(run);
    else joined[joined.length - 1] = { first: before.first, last: Math.max(before.last, run.last) };
  }
  return joined;
}

/** Places of packets by when they are shown, and of key frames in decoding order: looked up once for many spans. */
interface PacketIndex {
  readonly shown: Int32Array;
  readonly keys: readonly number[];
}

const indexes = new WeakMap<readonly ListedPacket[], PacketIndex>();

function indexOf(packets: readonly ListedPacket[]): PacketIndex {
  const known = indexes.get(packets);
  if (known !== undefined) return known;
  const shown = Int32Array.from(packets.keys()).sort((a, b) => packets[a].pts - packets[b].pts || a - b);
  const index = { shown, keys: [...packets.keys()].filter((place) => packets[place].key) };
  indexes.set(packets, index);
  return index;
}

function runOf(
  packets: readonly ListedPacket[],
  { shown, keys }: PacketIndex,
  { from, until }: TickSpan,
): PacketRun | null {
  const begin = firstAt(packets, shown, from);
  const own = shown.subarray(begin, firstAt(packets, shown, until));
  if (own.length === 0) return null;
  const last = own.reduce((most, place) => Math.max(most, place));
  const earliest = packets[own[0]].pts;
  return { first: keys.findLast((place) => place <= last && packets[place].pts <= earliest) ?? 0, last };
}

/** Which of the runs holds the first frame of a span; -1: none. */
export function runWith(
  packets: readonly ListedPacket[],
  runs: readonly PacketRun[],
  span: TickSpan,
): number {
  const { shown } = indexOf(packets);
  const place = shown[firstAt(packets, shown, span.from)] ?? -1;
  if (place === -1 || packets[place].pts >= span.until) return -1;
  return runs.findIndex(({ first, last }) => first <= place && place <= last);
}

/** How many are shown before a time. */
function firstAt(packets: readonly ListedPacket[], shown: Int32Array, ticks: number): number {
  let [low, high] = [0, shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (packets[shown[middle]].pts < ticks) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Which packets of a run are copied. Those that follow its key frame and are shown before it lean on frames that are
 * not there; no span asks for them.
 */
export function keptOf(packets: readonly ListedPacket[], { first, last }: PacketRun): number[] {
  const kept: number[] = [];
  for (let place = first; place <= last; place++)
    if (first === 0 || packets[place].pts >= packets[first].pts) kept.push(place);
  return kept;
}

/** Where the next run goes in a file: its packets' stamps are moved by this many ticks. */
export interface Placement {
  readonly shift: number;
  /** When the run's last frame ends, after the shift. */
  readonly end: number;
  /** Decoding stamp of its last packet, after the shift. */
  readonly last_dts: number;
}

/**
 * Puts a run right after what the file holds. Both kinds of stamps rise: where decoding stamps would not, the run begins
 * whole frames later.
 */
export function placeRun(
  packets: readonly ListedPacket[],
  kept: readonly number[],
  before: Pick<Placement, 'end' | 'last_dts'> | null,
): Placement {
  const shown = kept.map((place) => packets[place]);
  const begin = shown.reduce((least, { pts }) => Math.min(least, pts), Number.POSITIVE_INFINITY);
  const frame = Math.max(1, frameTicks(shown));
  let shift = (before?.end ?? 0) - begin;
  const late = before === null ? 0 : before.last_dts + 1 - (shown[0].dts + shift);
  if (late > 0) shift += Math.ceil(late / frame) * frame;
  const end = shown.reduce((most, { pts, duration }) => Math.max(most, pts + (duration || frame)), 0) + shift;
  return { shift, end, last_dts: shown[shown.length - 1].dts + shift };
}

/** How long a frame is shown: the median of what the packets say, else of the steps between stamps. */
function frameTicks(packets: readonly ListedPacket[]): number {
  const said = packets.map(({ duration }) => duration).filter((duration) => duration > 0);
  if (said.length > 0) return median(said);
  const stamps = packets.map(({ pts }) => pts).sort((a, b) => a - b);
  return median(stamps.slice(1).map((pts, place) => pts - stamps[place]));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

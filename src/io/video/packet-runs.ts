/** A packet as listed by its container. Times are ticks of the time base of the stream. */
export interface ListedPacket {
  readonly pts: number;
  readonly dts: number;
  readonly duration: number;
  readonly key: boolean;
}

/** Range of presentation times in ticks; `until` is exclusive. */
export interface TickSpan {
  readonly from: number;
  readonly until: number;
}

/** Consecutive packets in decoding order; both ends are inclusive. */
export interface PacketRun {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the smallest runs of packets from which all frames of the spans can be decoded unchanged: for each span from
 * the key frame at or before its first frame to its last packet in decoding order. Adjacent runs are merged; a span
 * without frames has no run.
 */
export function packetRuns(packets: readonly ListedPacket[], spans: readonly TickSpan[]): PacketRun[] {
  const index = getIndex(packets);
  const runs = spans.flatMap((span) => spanRun(packets, index, span) ?? []).sort((a, b) => a.first - b.first);
  const joined: PacketRun[] = [];
  for (const run of runs) {
    const previous = joined.at(-1);
    if (previous === undefined || run.first > previous.last + 1) joined.push(run);
    else joined[joined.length - 1] = { first: previous.first, last: Math.max(previous.last, run.last) };
  }
  return joined;
}

/** Packet numbers in presentation order, and key packets in decoding order; computed once per packet list. */
interface PacketIndex {
  readonly shown: Int32Array;
  readonly keys: readonly number[];
}

const indexes = new WeakMap<readonly ListedPacket[], PacketIndex>();

function getIndex(packets: readonly ListedPacket[]): PacketIndex {
  const cached = indexes.get(packets);
  if (cached !== undefined) return cached;
  const shown = Int32Array.from(packets.keys()).sort((a, b) => packets[a].pts - packets[b].pts || a - b);
  const index = { shown, keys: [...packets.keys()].filter((packetNumber) => packets[packetNumber].key) };
  indexes.set(packets, index);
  return index;
}

function spanRun(
  packets: readonly ListedPacket[],
  { shown, keys }: PacketIndex,
  { from, until }: TickSpan,
): PacketRun | null {
  const begin = countShownBefore(packets, shown, from);
  const shownInSpan = shown.subarray(begin, countShownBefore(packets, shown, until));
  if (shownInSpan.length === 0) return null;
  const last = shownInSpan.reduce((largest, packetNumber) => Math.max(largest, packetNumber));
  const earliest = packets[shownInSpan[0]].pts;
  return {
    first:
      keys.findLast((packetNumber) => packetNumber <= last && packets[packetNumber].pts <= earliest) ?? 0,
    last,
  };
}

/** Returns the index of the run that contains the first frame of a span; -1 if there is none. */
export function findRun(
  packets: readonly ListedPacket[],
  runs: readonly PacketRun[],
  span: TickSpan,
): number {
  const { shown } = getIndex(packets);
  const packetNumber = shown[countShownBefore(packets, shown, span.from)] ?? -1;
  if (packetNumber === -1 || packets[packetNumber].pts >= span.until) return -1;
  return runs.findIndex(({ first, last }) => first <= packetNumber && packetNumber <= last);
}

/** Returns the number of packets shown before a time. */
function countShownBefore(
  packets: readonly ListedPacket[],
  presentationOrder: Int32Array,
  ticks: number,
): number {
  let [low, high] = [0, presentationOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (packets[presentationOrder[middle]].pts < ticks) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the packets of a run without those that follow its key frame but are shown before it. These depend on missing
 * frames; no span needs them.
 */
export function decodablePackets(packets: readonly ListedPacket[], { first, last }: PacketRun): number[] {
  const copied: number[] = [];
  for (let packetNumber = first; packetNumber <= last; packetNumber++)
    if (first === 0 || packets[packetNumber].pts >= packets[first].pts) copied.push(packetNumber);
  return copied;
}

/** Position of a run in the new file: ticks added to its stamps. */
export interface Placement {
  readonly shift: number;
  /** End of its last frame after the shift. */
  readonly end: number;
  /** Decoding stamp of its last packet after the shift. */
  readonly last_dts: number;
}

/**
 * Returns the shift in ticks that places a run directly after the previous one, or whole frames later if decoding
 * stamps would not increase otherwise. Both kinds of stamps must increase.
 */
export function placeRun(
  packets: readonly ListedPacket[],
  copied: readonly number[],
  previous: Pick<Placement, 'end' | 'last_dts'> | null,
): Placement {
  const shown = copied.map((packetNumber) => packets[packetNumber]);
  const begin = shown.reduce((smallest, { pts }) => Math.min(smallest, pts), Number.POSITIVE_INFINITY);
  const frame = Math.max(1, frameTicks(shown));
  let shift = (previous?.end ?? 0) - begin;
  const late = previous === null ? 0 : previous.last_dts + 1 - (shown[0].dts + shift);
  if (late > 0) shift += Math.ceil(late / frame) * frame;
  const end =
    shown.reduce((largest, { pts, duration }) => Math.max(largest, pts + (duration || frame)), 0) + shift;
  return { shift, end, last_dts: shown[shown.length - 1].dts + shift };
}

/** Returns the frame duration in ticks: the median of the packet durations, else of the steps between stamps. */
function frameTicks(packets: readonly ListedPacket[]): number {
  const durations = packets.map(({ duration }) => duration).filter((duration) => duration > 0);
  if (durations.length > 0) return median(durations);
  const stamps = packets.map(({ pts }) => pts).sort((a, b) => a - b);
  return median(stamps.slice(1).map((pts, packetNumber) => pts - stamps[packetNumber]));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

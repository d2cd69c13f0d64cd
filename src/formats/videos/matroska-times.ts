import type { FileWindow } from '#io/sources';
import { type FrameTimes, NoTimes } from './frame-times.ts';

/** Element ids of Matroska (RFC 9559). */
const id = {
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  entry: 0xae,
  number: 0xd7,
  type: 0x83,
  codec: 0x86,
  cluster: 0x1f43b675,
  clusterTime: 0xe7,
  simpleBlock: 0xa3,
  group: 0xa0,
  block: 0xa1,
} as const;

/** Elements that are entered rather than skipped; their ends need not be known. */
const entered: ReadonlySet<number> = new Set([
  id.segment,
  id.info,
  id.tracks,
  id.entry,
  id.cluster,
  id.group,
]);

interface Track {
  number: number;
  video: boolean;
  codec: string | null;
  readonly stamps: number[];
}

/** Stamps of the first video track of a Matroska or WebM file. Throws NoTimes. */
export async function matroskaTimes(file: FileWindow): Promise<FrameTimes> {
  const tracks: Track[] = [];
  let scale_ns = 1_000_000;
  let clusterTime = 0;
  let declaredEnd = 0;
  for (let at = 0; at < file.size; ) {
    const head = await file.read(at, 12);
    const element = elementAt(head);
    if (element === null) break;
    const start = at + element.length;
    if (entered.has(element.id)) {
      if (element.id === id.segment && element.size > 0) declaredEnd = start + element.size;
      if (element.id === id.entry) tracks.push({ number: -1, video: false, codec: null, stamps: [] });
      at = start;
      continue;
    }
    const last = tracks.at(-1);
    const number = () => file.read(start, Math.min(8, element.size)).then(unsigned);
    if (element.id === id.scale) scale_ns = await number();
    else if (element.id === id.clusterTime) clusterTime = await number();
    else if (element.id === id.number && last !== undefined) last.number = await number();
    else if (element.id === id.type && last !== undefined) last.video = (await number()) === 1;
    else if (element.id === id.codec && last !== undefined)
      last.codec = (await file.read(start, Math.min(64, element.size))).toString('latin1');
    else if ((element.id === id.simpleBlock || element.id === id.block) && start + element.size <= file.size)
      takeBlock(await file.read(start, 12), clusterTime, tracks);
    at = start + element.size;
  }
  const track = tracks.find((one) => one.video);
  if (track === undefined)
    throw new NoTimes(tracks.length === 0 ? 'damaged' : 'no_video', 'the file holds no video track');
  const tick_s = scale_ns / 1e9;
  const time_s = Float64Array.from(track.stamps, (stamp) => stamp * tick_s).sort();
  const missing_bytes = Math.max(0, declaredEnd - file.size);
  return { time_s, tick_s, source: 'stamped', codec: track.codec, missing_bytes };
}

function takeBlock(head: Buffer, clusterTime: number, tracks: readonly Track[]): void {
  const number = head.length === 0 ? null : variable(head, 0, true);
  if (number === null || head.length < number.length + 2) return;
  const track = tracks.find((one) => one.number === number.value);
  track?.stamps.push(clusterTime + head.readInt16BE(number.length));
}

interface Element {
  readonly id: number;
  /** Bytes of id and size. */
  readonly length: number;
  /** Bytes of the content; 0 when unknown, which only entered elements are. */
  readonly size: number;
}

function elementAt(head: Buffer): Element | null {
  const name = variable(head, 0, false);
  if (name === null) return null;
  const size = variable(head, name.length, true);
  if (size === null) return null;
  return { id: name.value, length: name.length + size.length, size: size.unknown ? 0 : size.value };
}

/** A number whose leading zero bits say how long it is; `strip` takes the length mark off. */
function variable(
  bytes: Buffer,
  at: number,
  strip: boolean,
): { value: number; length: number; unknown: boolean } | null {
  if (at >= bytes.length || bytes[at] === 0) return null;
  const length = Math.clz32(bytes[at]) - 23;
  if (at + length > bytes.length) return null;
  let value = strip ? bytes[at] & (0xff >> length) : bytes[at];
  let ones = value === 0xff >> length;
  for (let i = 1; i < length; i++) {
    value = value * 256 + bytes[at + i];
    if (bytes[at + i] !== 0xff) ones = false;
  }
  return { value, length, unknown: strip && ones };
}

function unsigned(bytes: Buffer): number {
  let value = 0;
  for (const byte of bytes) value = value * 256 + byte;
  return value;
}

import type { FileWindow } from '#io/sources';
import { type FrameTimes, FrameTimesError } from './frame-times.ts';
import { readMp4Times } from './mp4.ts';

/** Element ids of Matroska (RFC 9559). */
const elementIds = {
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

/** Elements whose children are read; their size need not be known. */
const parentElements: ReadonlySet<number> = new Set([
  elementIds.segment,
  elementIds.info,
  elementIds.tracks,
  elementIds.entry,
  elementIds.cluster,
  elementIds.group,
]);

interface Track {
  number: number;
  video: boolean;
  codec: string | null;
  readonly stamps: number[];
}

/**
 * Reads the timestamps of the first video track of a Matroska or WebM file.
 * @throws FrameTimesError if there is no video track
 */
async function matroskaTimes(file: FileWindow): Promise<FrameTimes> {
  const tracks: Track[] = [];
  let scale_ns = 1_000_000;
  let clusterTime = 0;
  let declaredEnd = 0;
  for (let at = 0; at < file.size; ) {
    const head = await file.read(at, 12);
    const element = parseElement(head);
    if (element === null) break;
    const start = at + element.length;
    if (parentElements.has(element.id)) {
      if (element.id === elementIds.segment && element.size > 0) declaredEnd = start + element.size;
      if (element.id === elementIds.entry) tracks.push({ number: -1, video: false, codec: null, stamps: [] });
      at = start;
      continue;
    }
    const last = tracks.at(-1);
    const number = () => file.read(start, Math.min(8, element.size)).then(unsigned);
    if (element.id === elementIds.scale) scale_ns = await number();
    else if (element.id === elementIds.clusterTime) clusterTime = await number();
    else if (element.id === elementIds.number && last !== undefined) last.number = await number();
    else if (element.id === elementIds.type && last !== undefined) last.video = (await number()) === 1;
    else if (element.id === elementIds.codec && last !== undefined)
      last.codec = (await file.read(start, Math.min(64, element.size))).toString('latin1');
    else if (
      (element.id === elementIds.simpleBlock || element.id === elementIds.block) &&
      start + element.size <= file.size
    )
      addBlock(await file.read(start, 12), clusterTime, tracks);
    at = start + element.size;
  }
  const track = tracks.find((candidate) => candidate.video);
  if (track === undefined)
    throw new FrameTimesError(tracks.length === 0 ? 'damaged' : 'no_video', 'the file has no video track');
  const tick_s = scale_ns / 1e9;
  const time_s = Float64Array.from(track.stamps, (stamp) => stamp * tick_s).sort();
  const missing_bytes = Math.max(0, declaredEnd - file.size);
  return { time_s, tick_s, source: 'stamped', codec: track.codec, missing_bytes };
}

function addBlock(head: Buffer, clusterTime: number, tracks: readonly Track[]): void {
  const number = head.length === 0 ? null : parseVarint(head, 0, true);
  if (number === null || head.length < number.length + 2) return;
  const track = tracks.find((candidate) => candidate.number === number.value);
  track?.stamps.push(clusterTime + head.readInt16BE(number.length));
}

interface Element {
  readonly id: number;
  /** Bytes of id and size. */
  readonly length: number;
  /** Bytes of the content; 0 if unknown, which only occurs for elements whose children are read. */
  readonly size: number;
}

function parseElement(head: Buffer): Element | null {
  const name = parseVarint(head, 0, false);
  if (name === null) return null;
  const size = parseVarint(head, name.length, true);
  if (size === null) return null;
  return { id: name.value, length: name.length + size.length, size: size.unknown ? 0 : size.value };
}

/**
 * Parses a variable-length integer, whose leading zero bits give its length; `strip` removes the length marker. `null`
 * if it is invalid or cut off.
 */
function parseVarint(
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

/**
 * Computes the frame times of an AVI file, which has no timestamps: frame k is shown at k * scale / rate.
 * @throws FrameTimesError if there is no video stream with a rate
 */
async function aviTimes(file: FileWindow): Promise<FrameTimes> {
  const head = Buffer.from(await file.read(0, 64 * 1024));
  for (let at = head.indexOf('strh'); at >= 0 && at + 44 <= head.length; at = head.indexOf('strh', at + 4)) {
    if (head.toString('latin1', at + 8, at + 12) !== 'vids') continue;
    const scale = head.readUInt32LE(at + 28);
    const rate = head.readUInt32LE(at + 32);
    const count = head.readUInt32LE(at + 40);
    if (scale === 0 || rate === 0 || count > file.size) break;
    const time_s = Float64Array.from({ length: count }, (_, k) => (k * scale) / rate);
    const missing_bytes = Math.max(0, head.readUInt32LE(4) + 8 - file.size);
    return {
      missing_bytes,
      time_s,
      tick_s: scale / rate,
      source: 'counted',
      codec: head.toString('latin1', at + 12, at + 16),
    };
  }
  throw new FrameTimesError('no_video', 'the file has no video stream that declares a frame rate');
}

interface Container {
  readonly name: string;
  readonly matches: (head: Buffer) => boolean;
  readonly readTimes: (file: FileWindow) => Promise<FrameTimes>;
}

const ascii = (head: Buffer, at: number, length: number) => head.toString('latin1', at, at + length);

/** First boxes that occur in MP4 and QuickTime files. */
const firstBoxes: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'styp']);
const pictureBrands = /^(avif|avis|heic|heix|heim|heis|mif1|msf1|crx )/;

const unsupportedTimes = (name: string) => async (): Promise<FrameTimes> => {
  throw new FrameTimesError('not_read', `frame timestamps in ${name} cannot be read without decoding`);
};

const containers: readonly Container[] = [
  {
    name: 'MP4 or QuickTime',
    matches: (head) => firstBoxes.has(ascii(head, 4, 4)) && !pictureBrands.test(ascii(head, 8, 4)),
    readTimes: readMp4Times,
  },
  {
    name: 'Matroska or WebM',
    matches: (head) => head.readUInt32BE(0) === 0x1a45dfa3,
    readTimes: matroskaTimes,
  },
  {
    name: 'AVI',
    matches: (head) => ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 4) === 'AVI ',
    readTimes: aviTimes,
  },
  {
    name: 'MPEG transport stream',
    matches: (head) => head[0] === 0x47 && head.length > 376 && head[188] === 0x47 && head[376] === 0x47,
    readTimes: unsupportedTimes('MPEG transport streams'),
  },
  {
    name: 'MPEG program stream',
    matches: (head) => head.readUInt32BE(0) === 0x1ba,
    readTimes: unsupportedTimes('MPEG program streams'),
  },
  {
    name: 'Flash video',
    matches: (head) => ascii(head, 0, 3) === 'FLV',
    readTimes: unsupportedTimes('Flash video'),
  },
  { name: 'Ogg', matches: (head) => ascii(head, 0, 4) === 'OggS', readTimes: unsupportedTimes('Ogg') },
];

/** Bytes needed to detect a container. */
export const headBytes = 400;

/** Returns the container of a file by its first bytes; `null` if it is no video container. */
export function detectContainer(head: Uint8Array): Container | null {
  if (head.length < 12) return null;
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return containers.find((row) => row.matches(bytes)) ?? null;
}

import type { FileWindow } from '#io/sources';

/** What is needed of one video track to say when its frames are shown. Times in ticks of `timescale`. */
export interface Track {
  readonly id: number;
  readonly timescale: number;
  readonly codec: string | null;
  /** By the header: decoding time and distance to showing, one entry a frame; empty in fragmented files. */
  readonly shown: Float64Array;
  readonly bytes: number;
  /** Ticks taken off every stamp, and where showing starts and ends, by the edit list. */
  readonly edit: Edit;
  /** Default duration of a frame in fragments. */
  readonly fragment_duration: number;
}

interface Edit {
  readonly shift: number;
  readonly from: number;
  readonly to: number;
}

/** A frame count that no table of the file's size can honestly claim is refused by the size of its table. */
export function videoTracks(moov: Buffer): Track[] {
  const movieScale = find(moov, 'mvhd');
  const scale = movieScale === null ? 1000 : movieScale.readUInt32BE(movieScale[0] === 1 ? 20 : 12);
  const defaults = fragmentDefaults(moov);
  const tracks: Track[] = [];
  for (const box of boxesIn(moov)) {
    if (box.type !== 'trak') continue;
    const track = trackOf(moov.subarray(box.start, box.end), scale, defaults);
    if (track !== null) tracks.push(track);
  }
  return tracks;
}

function trackOf(trak: Buffer, movieScale: number, defaults: ReadonlyMap<number, number>): Track | null {
  const handler = find(trak, 'mdia', 'hdlr');
  const header = find(trak, 'tkhd');
  const media = find(trak, 'mdia', 'mdhd');
  const table = find(trak, 'mdia', 'minf', 'stbl');
  if (handler?.toString('latin1', 8, 12) !== 'vide' || header === null || media === null || table === null)
    return null;
  const id = header.readUInt32BE(header[0] === 1 ? 20 : 12);
  const timescale = media.readUInt32BE(media[0] === 1 ? 20 : 12);
  if (timescale === 0) return null;
  const description = find(table, 'stsd');
  return {
    id,
    timescale,
    codec: description !== null && description.length >= 16 ? description.toString('latin1', 12, 16) : null,
    shown: shownTimes(find(table, 'stts'), find(table, 'ctts')),
    bytes: sizeOf(find(table, 'stsz')),
    edit: editOf(find(trak, 'edts', 'elst'), movieScale, timescale),
    fragment_duration: defaults.get(id) ?? 0,
  };
}

/** Bytes of all frames, to tell the main track from previews. */
function sizeOf(stsz: Buffer | null): number {
  if (stsz === null || stsz.length < 12) return 0;
  const uniform = stsz.readUInt32BE(4);
  const count = stsz.readUInt32BE(8);
  if (uniform !== 0) return uniform * count;
  let sum = 0;
  for (let at = 12; at + 4 <= stsz.length; at += 4) sum += stsz.readUInt32BE(at);
  return sum;
}

const mostFrames = 50_000_000;

function shownTimes(stts: Buffer | null, ctts: Buffer | null): Float64Array {
  if (stts === null) return new Float64Array(0);
  let count = 0;
  for (let at = 8; at + 8 <= stts.length; at += 8) count += stts.readUInt32BE(at);
  if (count > mostFrames) return new Float64Array(0);
  const times = new Float64Array(count);
  let time = 0;
  let i = 0;
  for (let at = 8; at + 8 <= stts.length; at += 8) {
    const delta = stts.readUInt32BE(at + 4);
    for (const end = i + stts.readUInt32BE(at); i < end; i++) {
      times[i] = time;
      time += delta;
    }
  }
  if (ctts !== null) addOffsets(times, ctts);
  return times;
}

/** Offsets are signed in practice, whatever the version says. */
function addOffsets(times: Float64Array, ctts: Buffer): void {
  let i = 0;
  for (let at = 8; at + 8 <= ctts.length && i < times.length; at += 8) {
    const offset = ctts.readInt32BE(at + 4);
    for (const end = Math.min(times.length, i + ctts.readUInt32BE(at)); i < end; i++) times[i] += offset;
  }
}

/** An empty edit delays the track; the first real one says from where in the media it is shown, and how long. */
function editOf(elst: Buffer | null, movieScale: number, timescale: number): Edit {
  const whole = { shift: 0, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  if (elst === null || elst.length < 8) return whole;
  const long = elst[0] === 1;
  const size = long ? 20 : 12;
  let delay = 0;
  for (let at = 8; at + size <= elst.length; at += size) {
    const duration = long ? Number(elst.readBigUInt64BE(at)) : elst.readUInt32BE(at);
    const start = long ? Number(elst.readBigInt64BE(at + 8)) : elst.readInt32BE(at + 4);
    const ticks = (duration / movieScale) * timescale;
    if (start === -1) delay += ticks;
    else return { shift: start - delay, from: start, to: duration === 0 ? whole.to : start + ticks };
  }
  return whole;
}

function fragmentDefaults(moov: Buffer): Map<number, number> {
  const defaults = new Map<number, number>();
  const extends_ = find(moov, 'mvex');
  for (const box of extends_ === null ? [] : boxesIn(extends_)) {
    if (box.type === 'trex' && box.end - box.start >= 24)
      defaults.set(extends_!.readUInt32BE(box.start + 4), extends_!.readUInt32BE(box.start + 12));
  }
  return defaults;
}

/** A box of an ISO base media file (ISO/IEC 14496-12): its type and where its content lies. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Boxes of a file's top level; ends where a box reaches past the end of the file. */
export async function* topBoxes(file: FileWindow): AsyncGenerator<Box> {
  let position = 0;
  while (position + 8 <= file.size) {
    const head = Buffer.from(await file.read(position, 16));
    const box = head.length < 8 ? null : boxAt(head, 0, file.size - position);
    if (box === null) return;
    yield { type: box.type, start: position + box.start, end: position + box.end };
    position += box.end;
  }
}

/** Boxes within the content of another. */
export function boxesIn(bytes: Buffer, start = 0, end = bytes.length): Box[] {
  const boxes: Box[] = [];
  let position = start;
  while (position + 8 <= end) {
    const box = boxAt(bytes.subarray(position, end), 0, end - position);
    if (box === null) break;
    boxes.push({ type: box.type, start: position + box.start, end: Math.min(end, position + box.end) });
    position += box.end;
  }
  return boxes;
}

function boxAt(bytes: Buffer, at: number, left: number): Box | null {
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (size === 0) return { type, start: 8, end: left };
  if (size !== 1) return size < 8 ? null : { type, start: 8, end: size };
  if (bytes.length < at + 16) return null;
  const large = Number(bytes.readBigUInt64BE(at + 8));
  return large < 16 ? null : { type, start: 16, end: large };
}

/** The content of the first box of a type, down a path of types. */
export function find(bytes: Buffer, ...path: readonly string[]): Buffer | null {
  let content: Buffer = bytes;
  for (const type of path) {
    const box = boxesIn(content).find((one) => one.type === type);
    if (box === undefined) return null;
    content = content.subarray(box.start, box.end);
  }
  return content;
}

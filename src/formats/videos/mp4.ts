import type { FileWindow } from '#io/sources';
import { type FrameTimes, FrameTimesError } from './frame-times.ts';
import { listGpmfPayloads, type PayloadSpan } from './gopro/payload-spans.ts';
import { type Edit, findBox, listBoxes, parseEdit, presentationTicks, readTopBoxes } from './mp4-tables.ts';

/** Maximum header size; an hour at 60 Hz has about 5 MB. */
const maxHeaderBytes = 512 * 1024 * 1024;

/**
 * Returns the presentation times, in rising order and without frames that the edit list hides, of the main video track
 * of an MP4 or QuickTime file; throws FrameTimesError if it is damaged or has none. The file may be fragmented.
 */
export async function readMp4Times(file: FileWindow): Promise<FrameTimes> {
  let track: Track | null = null;
  let telemetry: readonly PayloadSpan[] | null = null;
  const fragments: number[] = [];
  let next = 0;
  let end = 0;
  for await (const box of readTopBoxes(file)) {
    end = box.end;
    if (box.type === 'moov') {
      const moov = await readBox(file, box.start, box.end);
      track = mainTrack(moov);
      telemetry = listGpmfPayloads(moov, file.size);
    } else if (box.type === 'moof' && track !== null)
      next = fragmentTimes(await readBox(file, box.start, box.end), track, next, fragments, file.size);
  }
  if (track === null)
    throw new FrameTimesError(
      'damaged',
      'the file has no header (moov): the recording was not finished, or the copy is incomplete',
    );
  const ticks = new Float64Array(track.frame_ticks.length + fragments.length);
  ticks.set(track.frame_ticks);
  ticks.set(fragments, track.frame_ticks.length);
  return {
    time_s: toSeconds(ticks, track),
    tick_s: 1 / track.timescale,
    missing_bytes: Math.max(0, end - file.size),
    source: 'stamped',
    codec: track.codec,
    telemetry,
  };
}

async function readBox(file: FileWindow, start: number, end: number): Promise<Buffer> {
  if (end > file.size)
    throw new FrameTimesError(
      'damaged',
      `the file is truncated: it ends ${end - file.size} bytes before the end of its header`,
    );
  if (end - start > maxHeaderBytes)
    throw new FrameTimesError('damaged', `the header is too large: ${end - start} bytes`);
  return Buffer.from(await file.read(start, end - start));
}

/** Returns the video track with the most bytes; others are previews. */
function mainTrack(moov: Buffer): Track {
  const tracks = videoTracks(moov);
  if (tracks.length === 0) throw new FrameTimesError('no_video', 'the file has no video track');
  return tracks.reduce((a, b) => (b.bytes > a.bytes ? b : a));
}

/**
 * Applies the edit list and converts ticks to sorted seconds; all frames are kept if the edit list would drop every
 * one. Tolerates half a tick, since the edit list uses the movie's coarser ticks.
 */
function toSeconds(ticks: Float64Array, { edit, timescale }: Track): Float64Array {
  const visible = ticks.filter((tick) => tick >= edit.from - 0.5 && tick < edit.to - 0.5);
  return (visible.length === 0 ? ticks : visible).map((tick) => (tick - edit.shift) / timescale).sort();
}

/**
 * Appends the presentation ticks of the track's frames in one `moof` to `out`; returns the decoding time after the
 * last.
 * @throws FrameTimesError if there are more frames than `maxFrames`
 */
function fragmentTimes(
  moof: Buffer,
  track: Track,
  startsAt: number,
  out: number[],
  maxFrames: number,
): number {
  let time = startsAt;
  for (const box of listBoxes(moof)) {
    if (box.type !== 'traf') continue;
    const traf = moof.subarray(box.start, box.end);
    const header = findBox(traf, 'tfhd');
    if (header === null || header.length < 8 || header.readUInt32BE(4) !== track.id) continue;
    const base = findBox(traf, 'tfdt');
    if (base !== null) time = base[0] === 1 ? Number(base.readBigUInt64BE(4)) : base.readUInt32BE(4);
    const duration = defaultDuration(header) ?? track.fragment_duration;
    for (const run of listBoxes(traf)) {
      if (run.type !== 'trun') continue;
      const bytes = traf.subarray(run.start, run.end);
      if (bytes.readUInt32BE(4) > maxFrames - out.length)
        throw new FrameTimesError('damaged', 'a fragment declares more frames than the file has bytes');
      time = runTimes(bytes, duration, time, out);
    }
  }
  return time;
}

function defaultDuration(header: Buffer): number | null {
  const flags = header.readUInt32BE(0) & 0xffffff;
  if ((flags & 0x8) === 0) return null;
  const at = 8 + ((flags & 0x1) !== 0 ? 8 : 0) + ((flags & 0x2) !== 0 ? 4 : 0);
  return at + 4 <= header.length ? header.readUInt32BE(at) : null;
}

function runTimes(run: Buffer, duration: number, from: number, out: number[]): number {
  const flags = run.readUInt32BE(0) & 0xffffff;
  const count = run.readUInt32BE(4);
  const has = (flag: number) => (flags & flag) !== 0;
  const size = [0x100, 0x200, 0x400, 0x800].reduce((sum, flag) => sum + (has(flag) ? 4 : 0), 0);
  let at = 8 + (has(0x1) ? 4 : 0) + (has(0x4) ? 4 : 0);
  let time = from;
  for (let i = 0; i < count && at + size <= run.length; i++, at += size) {
    const offset = has(0x800) ? run.readInt32BE(at + size - 4) : 0;
    out.push(time + offset);
    time += has(0x100) ? run.readUInt32BE(at) : duration;
  }
  return time;
}

/** Data of one video track from which frame times are computed. Times are in ticks of `timescale`. */
interface Track {
  readonly id: number;
  readonly timescale: number;
  readonly codec: string | null;
  /** Presentation time of each frame by the header; empty in fragmented files. */
  readonly frame_ticks: Float64Array;
  readonly bytes: number;
  /** Edit list: ticks subtracted from every time, and the visible range. */
  readonly edit: Edit;
  /** Default duration of a frame in fragments. */
  readonly fragment_duration: number;
}

/** Returns the video tracks of a `moov` box. Frame counts above `maxFrames` give no frames. */
function videoTracks(moov: Buffer): Track[] {
  const movieScale = findBox(moov, 'mvhd');
  const scale = movieScale === null ? 1000 : movieScale.readUInt32BE(movieScale[0] === 1 ? 20 : 12);
  const defaults = fragmentDefaults(moov);
  const tracks: Track[] = [];
  for (const box of listBoxes(moov)) {
    if (box.type !== 'trak') continue;
    const track = parseTrack(moov.subarray(box.start, box.end), scale, defaults);
    if (track !== null) tracks.push(track);
  }
  return tracks;
}

function parseTrack(trak: Buffer, movieScale: number, defaults: ReadonlyMap<number, number>): Track | null {
  const handler = findBox(trak, 'mdia', 'hdlr');
  const header = findBox(trak, 'tkhd');
  const media = findBox(trak, 'mdia', 'mdhd');
  const table = findBox(trak, 'mdia', 'minf', 'stbl');
  if (handler?.toString('latin1', 8, 12) !== 'vide' || header === null || media === null || table === null)
    return null;
  const id = header.readUInt32BE(header[0] === 1 ? 20 : 12);
  const timescale = media.readUInt32BE(media[0] === 1 ? 20 : 12);
  if (timescale === 0) return null;
  const description = findBox(table, 'stsd');
  return {
    id,
    timescale,
    codec: description !== null && description.length >= 16 ? description.toString('latin1', 12, 16) : null,
    frame_ticks: presentationTicks(findBox(table, 'stts'), findBox(table, 'ctts')),
    bytes: totalBytes(findBox(table, 'stsz')),
    edit: parseEdit(findBox(trak, 'edts', 'elst'), movieScale, timescale),
    fragment_duration: defaults.get(id) ?? 0,
  };
}

/** Returns the total bytes of all frames, which distinguishes the main track from previews. */
function totalBytes(stsz: Buffer | null): number {
  if (stsz === null || stsz.length < 12) return 0;
  const uniform = stsz.readUInt32BE(4);
  const count = stsz.readUInt32BE(8);
  if (uniform !== 0) return uniform * count;
  let sum = 0;
  for (let at = 12; at + 4 <= stsz.length; at += 4) sum += stsz.readUInt32BE(at);
  return sum;
}

function fragmentDefaults(moov: Buffer): Map<number, number> {
  const defaults = new Map<number, number>();
  const extends_ = findBox(moov, 'mvex');
  for (const box of extends_ === null ? [] : listBoxes(extends_)) {
    if (box.type === 'trex' && box.end - box.start >= 24)
      defaults.set(extends_!.readUInt32BE(box.start + 4), extends_!.readUInt32BE(box.start + 12));
  }
  return defaults;
}

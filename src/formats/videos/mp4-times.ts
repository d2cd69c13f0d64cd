import type { FileWindow } from '#io/sources';
import { type FrameTimes, NoTimes } from './frame-times.ts';
import { boxesIn, find, type Track, topBoxes, videoTracks } from './mp4-track.ts';

/** A header of an hour at 60 Hz takes some 5 MB. */
const mostHeader = 512 * 1024 * 1024;

/** Stamps of the main video track of an MP4 or QuickTime file, fragmented or not. Throws NoTimes. */
export async function mp4Times(file: FileWindow): Promise<FrameTimes> {
  let track: Track | null = null;
  const fragments: number[] = [];
  let next = 0;
  let end = 0;
  for await (const box of topBoxes(file)) {
    end = box.end;
    if (box.type === 'moov') track = mainTrack(await content(file, box.start, box.end));
    else if (box.type === 'moof' && track !== null)
      next = fragmentTimes(await content(file, box.start, box.end), track, next, fragments);
  }
  if (track === null)
    throw new NoTimes(
      'damaged',
      'the file has no header (moov): the recording was not finished, or the copy was cut',
    );
  const ticks = new Float64Array(track.shown.length + fragments.length);
  ticks.set(track.shown);
  ticks.set(fragments, track.shown.length);
  return {
    time_s: shownTimes(ticks, track),
    tick_s: 1 / track.timescale,
    missing_bytes: Math.max(0, end - file.size),
    source: 'stamped',
    codec: track.codec,
  };
}

async function content(file: FileWindow, start: number, end: number): Promise<Buffer> {
  if (end > file.size)
    throw new NoTimes('damaged', `the file ends ${end - file.size} bytes before its header does`);
  if (end - start > mostHeader) throw new NoTimes('damaged', `the header is ${end - start} bytes long`);
  return Buffer.from(await file.read(start, end - start));
}

/** Of several video tracks the one with the most bytes: the others are previews. */
function mainTrack(moov: Buffer): Track {
  const tracks = videoTracks(moov);
  if (tracks.length === 0) throw new NoTimes('no_video', 'the file holds no video track');
  return tracks.reduce((a, b) => (b.bytes > a.bytes ? b : a));
}

/** Half a tick of tolerance: the edit list counts in the movie's coarser ticks. */
function shownTimes(ticks: Float64Array, { edit, timescale }: Track): Float64Array {
  const kept = ticks.filter((tick) => tick >= edit.from - 0.5 && tick < edit.to - 0.5);
  return (kept.length === 0 ? ticks : kept).map((tick) => (tick - edit.shift) / timescale).sort();
}

/** Appends the showing times of a track's frames in one `moof`; gives the decoding time after it. */
function fragmentTimes(moof: Buffer, track: Track, startsAt: number, out: number[]): number {
  let time = startsAt;
  for (const box of boxesIn(moof)) {
    if (box.type !== 'traf') continue;
    const traf = moof.subarray(box.start, box.end);
    const header = find(traf, 'tfhd');
    if (header === null || header.length < 8 || header.readUInt32BE(4) !== track.id) continue;
    const base = find(traf, 'tfdt');
    if (base !== null) time = base[0] === 1 ? Number(base.readBigUInt64BE(4)) : base.readUInt32BE(4);
    const duration = defaultDuration(header) ?? track.fragment_duration;
    for (const run of boxesIn(traf)) {
      if (run.type === 'trun') time = runTimes(traf.subarray(run.start, run.end), duration, time, out);
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

import type { FileWindow } from '#io/sources';
import { type FrameTimes, NoTimes } from './frame-times.ts';
import { topBoxes } from './mp4-boxes.ts';
import { fragmentTimes } from './mp4-fragments.ts';
import { type Track, videoTracks } from './mp4-track.ts';

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

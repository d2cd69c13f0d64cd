import { AV_NOPTS_VALUE } from 'node-av/constants';
import {
  type CameraEvidence,
  type FrameLocator,
  type LoaderRequests,
  picturesSkippedReason,
  type ServedRows,
} from '#core/episode';
import type { CameraRequest } from '../../media-port.ts';
import { noEvidence } from '../../no-evidence.ts';
import { describeNonMedia, readHead } from '../media-files.ts';
import type { RequireFrames } from './examine-frames.ts';
import { ffmpegLog, withLogMessage } from './ffmpeg-log.ts';
import { cachedVideoFile } from './open-files.ts';
import { firstFrameAt } from './packet-index.ts';
import { containerFacts, findSpan, timeAt } from './span.ts';
import { UnusableVideo, type VideoFile } from './video-file.ts';

type VideoLocator = Extract<FrameLocator, { type: 'video' }>;

/**
 * Measures one span of a video file, by its packets or, as `request.pictures` demands, by decoded frames; an unusable
 * file gives evidence with the reason.
 */
export async function examineVideo(
  path: string,
  locator: VideoLocator,
  request: CameraRequest,
): Promise<CameraEvidence> {
  ffmpegLog.clear();
  let file: VideoFile;
  try {
    file = cachedVideoFile(path);
  } catch (thrown) {
    if (!(thrown instanceof UnusableVideo)) throw thrown;
    const what = describeNonMedia(readHead(path));
    return noEvidence('no', what ?? (await withLogMessage(thrown.message)));
  }
  return examineSpan(file, locator, request);
}

/**
 * Measures the frames of one span of an open video: their number, times, sizes, repeats and sampled pictures, as far as
 * requested. If the file is only partly present, `requireFrames` throws with what has to be fetched first.
 */
export async function examineSpan(
  file: VideoFile,
  locator: VideoLocator,
  request: CameraRequest,
  requireFrames?: RequireFrames,
): Promise<CameraEvidence> {
  const span = findSpan(file, locator.from_s, locator.to_s);
  const facts = containerFacts(file, span, locator.unstamped !== true);
  const { asked: rowQuery } = locator;
  const container =
    rowQuery === undefined ? facts : { ...facts, served: servedRows(file, locator.from_s, rowQuery) };
  if (span.count === 0) {
    return { ...noEvidence('no', describeEmptySpan(file, locator)), container };
  }
  if (request.pictures === 'none') return { ...noEvidence('not_measured', picturesSkippedReason), container };
  const { examineFrames } = await import('./examine-frames.ts');
  return examineFrames(file, span, container, request, requireFrames);
}

function describeEmptySpan(file: VideoFile, locator: VideoLocator): string {
  const { length } = file.index.shown;
  if (length === 0) return 'the video has no frames';
  const last = timeAt(file, length - 1).toFixed(3);
  const to = locator.to_s === null ? 'the end' : `${locator.to_s} s`;
  return `no frame between ${locator.from_s} s and ${to}; the last frame of the file is at ${last} s`;
}

/** If the nearest frame is further away than this fraction of the row or frame period, it belongs to another row. */
const maxOffFraction = 0.75;

/**
 * Simulates which frame the LeRobot loader returns for each row, by stamps alone. It requests frame number round(t · r)
 * from torchcodec (0.13, approximate seeking), with t = from_s + i / rate and r the r_frame_rate of the stream; this is
 * the first frame at or after start + number / r (SingleStreamDecoder::getPts), and an IndexError from the frame count
 * of the header on. The frame is rejected unless its stamp is within the tolerance of t, both as float32
 * (decode_video_frames_torchcodec).
 */
function servedRows(file: VideoFile, from_s: number, rowQuery: LoaderRequests): ServedRows {
  const { rows, rate_hz, tolerance_s } = rowQuery;
  const { index } = file;
  const frameAt = loaderFrameLookup(file);
  const foreignFrom = firstForeignFrame(file, rowQuery);
  const period_s = Math.max(1 / rate_hz, 1 / streamRate_hz(file));
  const tolerance = Math.fround(tolerance_s);
  const absent = new Tally();
  const off = new Tally();
  const foreign = new Tally();
  let worst_off_s = 0;
  let first_off_s = 0;
  let start_off_s: number | null = null;
  for (let row = 0; row < rows; row++) {
    const requested_s = from_s + Math.fround(row / rate_hz);
    const frameIndex = frameAt(requested_s);
    if (frameIndex === null) {
      absent.add(row);
      continue;
    }
    const taken_s = timeAt(file, frameIndex);
    if (row === 0) start_off_s = Math.abs(taken_s - requested_s);
    if (float32Distance(taken_s, requested_s) < tolerance) {
      if (frameIndex >= foreignFrom) foreign.add(row);
    } else if (distanceToNearest_s(file, requested_s) >= maxOffFraction * period_s) {
      absent.add(row);
    } else {
      const away_s = Math.abs(taken_s - requested_s);
      if (off.count === 0) first_off_s = away_s;
      worst_off_s = Math.max(worst_off_s, away_s);
      off.add(row);
    }
  }
  const { length } = index.shown;
  return {
    rows,
    absent: absent.count,
    first_absent: absent.first,
    off: off.count,
    first_off: off.first,
    worst_off_s,
    first_off_s,
    start_off_s,
    foreign: foreign.count,
    first_foreign: foreign.first,
    file_frames: length,
    file_last_s: length === 0 ? null : timeAt(file, length - 1),
  };
}

class Tally {
  count = 0;
  first: number | null = null;

  add(row: number): void {
    this.first ??= row;
    this.count += 1;
  }
}

/** Returns a function that gives the frame index that the loader returns for a time; null if it fails. */
function loaderFrameLookup(file: VideoFile): (wanted_s: number) => number | null {
  const { index, stream } = file;
  const rate = streamRate_hz(file);
  const base = stream.timeBase.toDouble();
  const start_s = stream.startTime === AV_NOPTS_VALUE ? 0 : Number(stream.startTime) * base;
  const declared = Number(stream.nbFrames);
  const lasts_s =
    Number(stream.duration) > 0 ? Number(stream.duration) * base : Number(file.format.duration) / 1e6;
  const count = declared > 0 ? declared : lasts_s > 0 ? Math.floor(rate * lasts_s) : Number.POSITIVE_INFINITY;
  return (wanted_s) => {
    const rounded = roundHalfEven(wanted_s * rate);
    const number = rounded < 0 ? rounded + count : rounded;
    if (!(number >= 0 && number < count)) return null;
    const ticks = Math.round((start_s + number / rate) / file.tick_s);
    const frameIndex = firstFrameAt(index, index.shown, ticks);
    return frameIndex < index.shown.length ? frameIndex : null;
  };
}

function streamRate_hz({ stream }: VideoFile): number {
  const rate = stream.rFrameRate.toDouble();
  return Number.isFinite(rate) && rate > 0 ? rate : 25;
}

/** Returns the index of the first frame of the next episode; infinity if there is none. */
function firstForeignFrame(file: VideoFile, { until_s, rate_hz }: LoaderRequests): number {
  if (until_s === null) return Number.POSITIVE_INFINITY;
  return firstFrameAt(file.index, file.index.shown, (until_s - 0.25 / rate_hz) / file.tick_s);
}

/** Returns the distance in seconds from a time to the nearest frame. */
function distanceToNearest_s(file: VideoFile, time_s: number): number {
  const { index } = file;
  const after = firstFrameAt(index, index.shown, time_s / file.tick_s);
  const frameIndices = [after - 1, after].filter(
    (frameIndex) => frameIndex >= 0 && frameIndex < index.shown.length,
  );
  return Math.min(...frameIndices.map((frameIndex) => Math.abs(timeAt(file, frameIndex) - time_s)));
}

function float32Distance(a: number, b: number): number {
  return Math.abs(Math.fround(Math.fround(a) - Math.fround(b)));
}

/** Rounds half to even, like Python. */
function roundHalfEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

import { AV_NOPTS_VALUE } from 'node-av/constants';
import {
  type AskedFrames,
  type CameraEvidence,
  type FrameLocator,
  picturesLeftOut,
  type ServedRows,
} from '#core/episode';
import type { CameraRequest } from '../../media-port.ts';
import { noEvidence } from '../../no-evidence.ts';
import { headOf, notMedia } from '../not-media.ts';
import type { Demand } from './decode-span.ts';
import { decoderWords, quoted } from './decoder-words.ts';
import { videoFile } from './open-files.ts';
import { placeFrom } from './packet-index.ts';
import { containerFacts, spanOf, timeAt } from './span.ts';
import { NotVideo, type VideoFile } from './video-file.ts';

type VideoLocator = Extract<FrameLocator, { type: 'video' }>;

/** Measures one span of a video file; how much of it is decoded, `decodeSpan` says. */
export async function examineVideo(
  path: string,
  locator: VideoLocator,
  request: CameraRequest,
): Promise<CameraEvidence> {
  decoderWords.clear();
  let file: VideoFile;
  try {
    file = videoFile(path);
  } catch (thrown) {
    if (!(thrown instanceof NotVideo)) throw thrown;
    const what = notMedia(headOf(path));
    return noEvidence('no', what ?? (await quoted(thrown.message)));
  }
  return examineSpan(file, locator, request);
}

/** Of one span of a file that is open. `demand`: the file is not there whole. */
export async function examineSpan(
  file: VideoFile,
  locator: VideoLocator,
  request: CameraRequest,
  demand?: Demand,
): Promise<CameraEvidence> {
  const span = spanOf(file, locator.from_s, locator.to_s);
  const facts = containerFacts(file, span, locator.unstamped !== true);
  const { asked } = locator;
  const container =
    asked === undefined ? facts : { ...facts, served: servedRows(file, locator.from_s, asked) };
  if (span.count === 0) {
    return { ...noEvidence('no', emptySpan(file, locator)), container };
  }
  if (request.pictures === 'none') return { ...noEvidence('not_measured', picturesLeftOut), container };
  const { examineFrames } = await import('./examine-frames.ts');
  return examineFrames(file, span, container, request, demand);
}

function emptySpan(file: VideoFile, locator: VideoLocator): string {
  const { length } = file.index.shown;
  if (length === 0) return 'the video holds no frames';
  const last = timeAt(file, length - 1).toFixed(3);
  const to = locator.to_s === null ? 'the end' : `${locator.to_s} s`;
  return `no frame lies between ${locator.from_s} s and ${to}; the file's last is at ${last} s`;
}

/** Beyond this share of a period, of rows or of frames, a frame is another row's. */
const nearShare = 0.75;

/**
 * What LeRobot's loader finds for each row, by stamps alone. It asks torchcodec (0.13, approximate seeking) for frame
 * number round(t · r), t = from_s + i / rate and r the stream's r_frame_rate; that is the first frame shown at or after
 * start + number / r (SingleStreamDecoder::getPts), IndexError from the header's count of frames on. The frame is
 * refused unless its stamp is nearer to t than the tolerance, both as float32 (decode_video_frames_torchcodec).
 */
function servedRows(file: VideoFile, from_s: number, asked: AskedFrames): ServedRows {
  const { rows, rate_hz, tolerance_s } = asked;
  const { index } = file;
  const frameAt = numbering(file);
  const foreignFrom = placeAfter(file, asked);
  const period_s = Math.max(1 / rate_hz, 1 / frameRateOf(file));
  const tolerance = Math.fround(tolerance_s);
  const absent = new Tally();
  const off = new Tally();
  const foreign = new Tally();
  let worst_off_s = 0;
  let first_off_s = 0;
  let start_off_s: number | null = null;
  for (let row = 0; row < rows; row++) {
    const wanted_s = from_s + Math.fround(row / rate_hz);
    const place = frameAt(wanted_s);
    if (place === null) {
      absent.add(row);
      continue;
    }
    const taken_s = timeAt(file, place);
    if (row === 0) start_off_s = Math.abs(taken_s - wanted_s);
    if (distance32(taken_s, wanted_s) < tolerance) {
      if (place >= foreignFrom) foreign.add(row);
    } else if (nearest(file, wanted_s) >= nearShare * period_s) {
      absent.add(row);
    } else {
      const away_s = Math.abs(taken_s - wanted_s);
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

/** Place of the frame that the loader takes for a time; null where it fails. */
function numbering(file: VideoFile): (wanted_s: number) => number | null {
  const { index, stream } = file;
  const rate = frameRateOf(file);
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
    const place = placeFrom(index, index.shown, ticks);
    return place < index.shown.length ? place : null;
  };
}

function frameRateOf({ stream }: VideoFile): number {
  const rate = stream.rFrameRate.toDouble();
  return Number.isFinite(rate) && rate > 0 ? rate : 25;
}

/** First place that is another episode's. */
function placeAfter(file: VideoFile, { until_s, rate_hz }: AskedFrames): number {
  if (until_s === null) return Number.POSITIVE_INFINITY;
  return placeFrom(file.index, file.index.shown, (until_s - 0.25 / rate_hz) / file.tick_s);
}

/** Seconds to the nearest shown frame. */
function nearest(file: VideoFile, time_s: number): number {
  const { index } = file;
  const after = placeFrom(index, index.shown, time_s / file.tick_s);
  const places = [after - 1, after].filter((place) => place >= 0 && place < index.shown.length);
  return Math.min(...places.map((place) => Math.abs(timeAt(file, place) - time_s)));
}

function distance32(a: number, b: number): number {
  return Math.abs(Math.fround(Math.fround(a) - Math.fround(b)));
}

/** As Python rounds. */
function roundHalfEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

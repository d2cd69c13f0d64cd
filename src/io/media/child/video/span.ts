import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import type { CodecParameters } from 'node-av/lib';
import type { ContainerFacts } from '#core/episode';
import { pixelFormatName } from './frame-pixels.ts';
import { firstFrameAt } from './packet-index.ts';
import type { VideoFile } from './video-file.ts';

/** The part of a file that belongs to one episode: `count` shown frames from index `first` on. */
export interface Span {
  readonly first: number;
  readonly count: number;
  /** Start time of the episode in the file, in seconds. */
  readonly from_s: number;
}

/** Stamps and spans are rounded separately: tolerance as a fraction of a frame. */
const roundingTolerance = 0.25;

/**
 * Returns the frames with from_s <= stamp < to_s (`null`: to the end of the file), allowing a quarter of a frame for
 * rounding at both ends.
 */
export function findSpan(file: VideoFile, from_s: number, to_s: number | null): Span {
  const { index } = file;
  const allowed = roundingTolerance * medianStep(file, 0, Math.min(index.shown.length, 1000));
  const first = firstFrameAt(index, index.shown, (from_s - allowed) / file.tick_s);
  const end =
    to_s === null ? index.shown.length : firstFrameAt(index, index.shown, (to_s - allowed) / file.tick_s);
  return { first, count: Math.max(0, end - first), from_s };
}

/**
 * Returns codec, size, frame count, rate, time range and completeness of a span; times are `null` unless `isTimed` (the
 * stamps of the file are frame times).
 */
export function containerFacts(file: VideoFile, span: Span, isTimed: boolean): ContainerFacts {
  const { index, stream } = file;
  const parameters = stream.codecpar;
  const declared = Number(stream.nbFrames);
  const steps = computeSteps(file, span);
  const stamped = isTimed && index.stamped;
  return {
    codec: file.codecName,
    width_px: parameters.width,
    height_px: parameters.height,
    pixel_format: pixelFormatName(parameters.format),
    frame_count: span.count,
    declared_frame_count: declared > 0 ? declared : null,
    rate_hz: steps !== null && stamped ? 1 / steps.usual_s : null,
    first_pts_s: span.count > 0 && stamped ? timeAt(file, span.first) : null,
    last_pts_s: span.count > 0 && stamped ? timeAt(file, span.first + span.count - 1) : null,
    pts_jitter_ratio: steps !== null && stamped ? steps.jitter : null,
    rotation_deg: readRotation_deg(parameters),
    complete: isComplete(file, declared),
  };
}

/** Returns true if no packet is damaged, and the number of packets or the duration agrees with the header. */
function isComplete(file: VideoFile, declared: number): boolean {
  const { index, format } = file;
  if (index.error !== null || index.damaged > 0) return false;
  if (declared > 0) return declared === index.count;
  const { length } = index.shown;
  const lasts_s = Number(format.duration) / 1e6;
  // The duration in the header covers all streams; with several of them the video may be the shortest.
  if (format.nbStreams > 1 || length < 2 || !(lasts_s > 0)) return true;
  const step = medianStep(file, 0, length);
  const end = timeAt(file, length - 1) - timeAt(file, 0) + step;
  return lasts_s - end < Math.max(3 * step, lasts_s / 100);
}

/** Returns the time of a shown frame in seconds in the time of the file. */
export function timeAt(file: VideoFile, frameIndex: number): number {
  return file.time_s(file.index.shown[frameIndex]);
}

/** Returns the median distance of consecutive frames in seconds; 0 for fewer than two frames. */
function medianStep(file: VideoFile, first: number, count: number): number {
  if (count < 2) return 0;
  const steps = new Float64Array(count - 1);
  for (let i = 0; i + 1 < count; i++) steps[i] = timeAt(file, first + i + 1) - timeAt(file, first + i);
  steps.sort();
  return steps[(count - 1) >> 1];
}

/**
 * Returns the usual frame distance and the largest deviation from it as a fraction; null for fewer than two frames.
 * Containers round stamps to ticks, so a deviation of up to one tick is no jitter, and if there is none, the mean is
 * more accurate than the median.
 */
function computeSteps(file: VideoFile, span: Span): { usual_s: number; jitter: number } | null {
  if (span.count < 2) return null;
  const last = span.first + span.count - 1;
  const mean = (timeAt(file, last) - timeAt(file, span.first)) / (span.count - 1);
  const even = maxDeviation_s(file, span, mean) <= 1.01 * file.tick_s;
  const usual_s = even ? mean : medianStep(file, span.first, span.count);
  if (!(usual_s > 0)) return null;
  return {
    usual_s,
    jitter: even ? 0 : Math.max(0, maxDeviation_s(file, span, usual_s) - file.tick_s) / usual_s,
  };
}

function maxDeviation_s(file: VideoFile, span: Span, step_s: number): number {
  let worst = 0;
  for (let frameIndex = span.first; frameIndex < span.first + span.count - 1; frameIndex++) {
    worst = Math.max(worst, Math.abs(timeAt(file, frameIndex + 1) - timeAt(file, frameIndex) - step_s));
  }
  return worst;
}

/**
 * Returns the clockwise rotation (0, 90, 180, 270 degrees) that makes a picture upright, from the display matrix; 0
 * without one.
 */
export function readRotation_deg(parameters: CodecParameters): number {
  const matrix = parameters.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (matrix === null || matrix.length < 36) return 0;
  const view = new DataView(matrix.buffer, matrix.byteOffset, matrix.byteLength);
  // The display matrix maps (x, y) to (a x + c y, b x + d y): turned clockwise by atan2(b, a) on a screen.
  const a = view.getInt32(0, true);
  const b = view.getInt32(4, true);
  const turned = (Math.atan2(b, a) * 180) / Math.PI;
  return (Math.round(turned / 90) * 90 + 360) % 360;
}

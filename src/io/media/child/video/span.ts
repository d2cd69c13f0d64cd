import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import type { CodecParameters } from 'node-av/lib';
import type { ContainerFacts } from '#core/episode';
import { placeFrom } from './packet-index.ts';
import { pixelFormatName } from './read-luma.ts';
import type { VideoFile } from './video-file.ts';

/** The part of a file that is one episode: `count` shown frames from place `first` on. */
export interface Span {
  readonly first: number;
  readonly count: number;
  /** Time of the episode's start in the file, seconds. */
  readonly from_s: number;
}

/** Stamps and spans are computed apart and rounded apart: how far off, in frames, a stamp may lie. */
const slack = 0.25;

/** The frames with from_s <= stamp < to_s, allowing a quarter of a frame for rounding on both ends. */
export function spanOf(file: VideoFile, from_s: number, to_s: number | null): Span {
  const { index } = file;
  const allowed = slack * medianStep(file, 0, Math.min(index.shown.length, 1000));
  const first = placeFrom(index, index.shown, (from_s - allowed) / file.tick_s);
  const end =
    to_s === null ? index.shown.length : placeFrom(index, index.shown, (to_s - allowed) / file.tick_s);
  return { first, count: Math.max(0, end - first), from_s };
}

/** `isTimed`: the file's stamps say when its frames were taken; else they are not told. */
export function containerFacts(file: VideoFile, span: Span, isTimed: boolean): ContainerFacts {
  const { index, stream } = file;
  const parameters = stream.codecpar;
  const declared = Number(stream.nbFrames);
  const steps = stepsOf(file, span);
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
    rotation_deg: rotationOf(parameters),
    complete: isComplete(file, declared),
  };
}

/** Nothing damaged, as many packets as the header counts, and none missing at the end of what it says it lasts. */
function isComplete(file: VideoFile, declared: number): boolean {
  const { index, format } = file;
  if (index.error !== null || index.damaged > 0) return false;
  if (declared > 0) return declared === index.count;
  const { length } = index.shown;
  const lasts_s = Number(format.duration) / 1e6;
  // The header's duration counts all streams: of several, the video may rightly be the shortest.
  if (format.nbStreams > 1 || length < 2 || !(lasts_s > 0)) return true;
  const step = medianStep(file, 0, length);
  const end = timeAt(file, length - 1) - timeAt(file, 0) + step;
  return lasts_s - end < Math.max(3 * step, lasts_s / 100);
}

/** Seconds of a shown frame in the file's own time. */
export function timeAt(file: VideoFile, place: number): number {
  return file.time_s(file.index.shown[place]);
}

/** Median distance of neighbouring frames in seconds; 0 for fewer than two. */
function medianStep(file: VideoFile, first: number, count: number): number {
  if (count < 2) return 0;
  const steps = new Float64Array(count - 1);
  for (let i = 0; i + 1 < count; i++) steps[i] = timeAt(file, first + i + 1) - timeAt(file, first + i);
  steps.sort();
  return steps[(count - 1) >> 1];
}

/**
 * The usual distance of frames, and the largest deviation from it as a share. Containers round stamps to ticks, so up
 * to one tick is no jitter, and where nothing deviates by more, the mean is truer than the median.
 */
function stepsOf(file: VideoFile, span: Span): { usual_s: number; jitter: number } | null {
  if (span.count < 2) return null;
  const last = span.first + span.count - 1;
  const mean = (timeAt(file, last) - timeAt(file, span.first)) / (span.count - 1);
  const even = deviation(file, span, mean) <= 1.01 * file.tick_s;
  const usual_s = even ? mean : medianStep(file, span.first, span.count);
  if (!(usual_s > 0)) return null;
  return { usual_s, jitter: even ? 0 : Math.max(0, deviation(file, span, usual_s) - file.tick_s) / usual_s };
}

function deviation(file: VideoFile, span: Span, step_s: number): number {
  let worst = 0;
  for (let place = span.first; place < span.first + span.count - 1; place++) {
    worst = Math.max(worst, Math.abs(timeAt(file, place + 1) - timeAt(file, place) - step_s));
  }
  return worst;
}

/** Degrees (0, 90, 180, 270) by which a picture has to be turned clockwise to stand upright. */
export function rotationOf(parameters: CodecParameters): number {
  const matrix = parameters.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (matrix === null || matrix.length < 36) return 0;
  const view = new DataView(matrix.buffer, matrix.byteOffset, matrix.byteLength);
  // The display matrix maps (x, y) to (a x + c y, b x + d y): turned clockwise by atan2(b, a) on a screen.
  const a = view.getInt32(0, true);
  const b = view.getInt32(4, true);
  const turned = (Math.atan2(b, a) * 180) / Math.PI;
  return (Math.round(turned / 90) * 90 + 360) % 360;
}

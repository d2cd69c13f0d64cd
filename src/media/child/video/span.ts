import type { ContainerFacts } from '#episode';
import { placeFrom } from './packet-index.ts';
import { pixelFormatName } from './read-luma.ts';
import { rotationOf } from './rotation.ts';
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

export function containerFacts(file: VideoFile, span: Span): ContainerFacts {
  const { index, stream } = file;
  const parameters = stream.codecpar;
  const declared = Number(stream.nbFrames);
  const median = medianStep(file, span.first, span.count);
  return {
    codec: file.codecName,
    width_px: parameters.width,
    height_px: parameters.height,
    pixel_format: pixelFormatName(parameters.format),
    frame_count: span.count,
    declared_frame_count: declared > 0 ? declared : null,
    rate_hz: median > 0 ? 1 / median : null,
    first_pts_s: span.count > 0 && index.stamped ? timeAt(file, span.first) : null,
    last_pts_s: span.count > 0 && index.stamped ? timeAt(file, span.first + span.count - 1) : null,
    pts_jitter_ratio: median > 0 && index.stamped ? jitter(file, span, median) : null,
    rotation_deg: rotationOf(parameters),
    complete: index.error === null && index.damaged === 0 && (declared <= 0 || declared === index.count),
  };
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

function jitter(file: VideoFile, span: Span, median: number): number {
  let worst = 0;
  for (let i = 0; i + 1 < span.count; i++) {
    const step = timeAt(file, span.first + i + 1) - timeAt(file, span.first + i);
    worst = Math.max(worst, Math.abs(step - median));
  }
  return worst / median;
}

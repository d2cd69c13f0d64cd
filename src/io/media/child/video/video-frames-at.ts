import type { FrameLocator } from '#core/episode';
import type { FramesRequest } from '../../media-port.ts';
import { FrameUnavailable, type RenderedFrame } from '../media-errors.ts';
import { decodeFrames } from './decode-frames.ts';
import { frameToRgb } from './frame-pixels.ts';
import { openVideo } from './open-files.ts';
import { firstFrameAt } from './packet-index.ts';
import { findSpan, readRotation_deg, type Span, timeAt } from './span.ts';
import type { VideoFile } from './video-file.ts';

type VideoLocator = Extract<FrameLocator, { type: 'video' }>;

/**
 * Returns one rendered frame, or a `FrameUnavailable`, per time in `times_s` from the locator's span of a video file;
 * throws FrameUnavailable if the file cannot be used at all. `stamps_s`, if set, replaces the file's own frame times.
 */
export function renderVideoFrames(
  path: string,
  locator: VideoLocator,
  { times_s, width_px, pick, stamps_s }: FramesRequest,
): (RenderedFrame | FrameUnavailable)[] {
  const file = openVideo(path);
  const span = findSpan(file, locator.from_s, locator.to_s);
  if (span.count === 0) throw new FrameUnavailable('the video has no frame within the episode');
  const choose = pick === 'shown' ? frameShownAt : nearestFrame;
  const externalStamps_s = stamps_s ?? null;
  const frameIndices = times_s.map((time_s) =>
    externalStamps_s === null
      ? choose(file, span, span.from_s + time_s)
      : frameByStamps(externalStamps_s, span, time_s, pick),
  );
  const sortedIndices = [...new Set(frameIndices)].sort((a, b) => a - b);
  const rotation = readRotation_deg(file.stream.codecpar);
  const found = new Map<number, RenderedFrame>();
  const { problems } = decodeFrames(file, sortedIndices, (frameIndex, frame) =>
    found.set(frameIndex, {
      source: frameToRgb(frame, width_px, rotation),
      time_s: externalStamps_s?.[frameIndex] ?? timeAt(file, frameIndex) - span.from_s,
    }),
  );
  const why = problems[0]?.text ?? 'the decoder returned no frame';
  return frameIndices.map((frameIndex) => found.get(frameIndex) ?? new FrameUnavailable(why));
}

function nearestFrame(file: VideoFile, span: Span, time_s: number): number {
  const after = firstFrameAt(file.index, file.index.shown, time_s / file.tick_s);
  const last = span.first + span.count - 1;
  const [a, b] = [after - 1, after].map((frameIndex) => Math.min(last, Math.max(span.first, frameIndex)));
  return Math.abs(timeAt(file, a) - time_s) <= Math.abs(timeAt(file, b) - time_s) ? a : b;
}

/** Returns the frame at a time by external stamps instead of those of the file. */
function frameByStamps(
  stamps_s: Float64Array,
  span: Span,
  time_s: number,
  pick: FramesRequest['pick'],
): number {
  let frameIndex = span.first;
  const last = Math.min(span.first + span.count, stamps_s.length) - 1;
  while (frameIndex < last && stamps_s[frameIndex + 1] <= time_s) frameIndex++;
  const closer =
    pick !== 'shown' &&
    frameIndex < last &&
    stamps_s[frameIndex + 1] - time_s < time_s - stamps_s[frameIndex];
  return closer ? frameIndex + 1 : frameIndex;
}

/**
 * Returns the last frame at or before the time. A stamp may be later than the time of its frame by the rounding to
 * ticks.
 */
function frameShownAt(file: VideoFile, span: Span, time_s: number): number {
  const after = firstFrameAt(file.index, file.index.shown, time_s / file.tick_s);
  const last = span.first + span.count - 1;
  if (after > last) return last;
  if (after <= span.first) return span.first;
  const step_s = timeAt(file, after) - timeAt(file, after - 1);
  const rounding_s = Math.min(0.51 * file.tick_s, 0.25 * step_s);
  return timeAt(file, after) - time_s <= rounding_s ? after : after - 1;
}

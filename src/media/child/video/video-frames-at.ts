import type { FrameLocator } from '#episode';
import type { JpegSource } from '../pictures/to-jpeg.ts';
import { decodeFrames } from './decode-frames.ts';
import { videoFile } from './open-files.ts';
import { placeFrom } from './packet-index.ts';
import { rgbOf } from './rgb.ts';
import { rotationOf } from './rotation.ts';
import { type Span, spanOf, timeAt } from './span.ts';
import { NotVideo, type VideoFile } from './video-file.ts';

type VideoLocator = Extract<FrameLocator, { type: 'video' }>;

/** The frames of a span nearest to the given times, in RGB. */
export function videoFramesAt(
  path: string,
  locator: VideoLocator,
  times_s: readonly number[],
  width_px: number,
): (JpegSource | null)[] {
  let file: VideoFile;
  try {
    file = videoFile(path);
  } catch (thrown) {
    if (thrown instanceof NotVideo) return times_s.map(() => null);
    throw thrown;
  }
  const span = spanOf(file, locator.from_s, locator.to_s);
  if (span.count === 0) return times_s.map(() => null);
  const places = times_s.map((time_s) => nearestPlace(file, span, span.from_s + time_s));
  const wanted = [...new Set(places)].sort((a, b) => a - b);
  const rotation = rotationOf(file.stream.codecpar);
  const found = new Map<number, JpegSource>();
  decodeFrames(file, wanted, (place, frame) => found.set(place, rgbOf(frame, width_px, rotation)));
  return places.map((place) => found.get(place) ?? null);
}

function nearestPlace(file: VideoFile, span: Span, time_s: number): number {
  const after = placeFrom(file.index, file.index.shown, time_s / file.tick_s);
  const last = span.first + span.count - 1;
  const [a, b] = [after - 1, after].map((place) => Math.min(last, Math.max(span.first, place)));
  return Math.abs(timeAt(file, a) - time_s) <= Math.abs(timeAt(file, b) - time_s) ? a : b;
}

import type { FrameLocator } from '#core/episode';
import type { FramesRequest } from '../../media-port.ts';
import { type ShownFrame, Unshown } from '../shown-frame.ts';
import { decodeFrames } from './decode-frames.ts';
import { openVideo } from './open-video.ts';
import { placeFrom } from './packet-index.ts';
import { rgbOf } from './rgb.ts';
import { rotationOf, type Span, spanOf, timeAt } from './span.ts';
import type { VideoFile } from './video-file.ts';

type VideoLocator = Extract<FrameLocator, { type: 'video' }>;

/** The frames of a span at the given times, in RGB. Throws Unshown where the file cannot be used at all. */
export function videoFramesAt(
  path: string,
  locator: VideoLocator,
  { times_s, width_px, pick, stamps_s }: FramesRequest,
): (ShownFrame | Unshown)[] {
  const file = openVideo(path);
  const span = spanOf(file, locator.from_s, locator.to_s);
  if (span.count === 0) throw new Unshown('no frame of the video lies in the episode');
  const choose = pick === 'shown' ? shownPlace : nearestPlace;
  const given = stamps_s ?? null;
  const places = times_s.map((time_s) =>
    given === null ? choose(file, span, span.from_s + time_s) : givenPlace(given, span, time_s, pick),
  );
  const wanted = [...new Set(places)].sort((a, b) => a - b);
  const rotation = rotationOf(file.stream.codecpar);
  const found = new Map<number, ShownFrame>();
  const { problems } = decodeFrames(file, wanted, (place, frame) =>
    found.set(place, {
      source: rgbOf(frame, width_px, rotation),
      time_s: given?.[place] ?? timeAt(file, place) - span.from_s,
    }),
  );
  const why = problems[0]?.text ?? 'the decoder gives nothing for it';
  return places.map((place) => found.get(place) ?? new Unshown(why));
}

function nearestPlace(file: VideoFile, span: Span, time_s: number): number {
  const after = placeFrom(file.index, file.index.shown, time_s / file.tick_s);
  const last = span.first + span.count - 1;
  const [a, b] = [after - 1, after].map((place) => Math.min(last, Math.max(span.first, place)));
  return Math.abs(timeAt(file, a) - time_s) <= Math.abs(timeAt(file, b) - time_s) ? a : b;
}

/** By stamps that stand in for those of the file. */
function givenPlace(stamps_s: Float64Array, span: Span, time_s: number, pick: FramesRequest['pick']): number {
  let place = span.first;
  const last = Math.min(span.first + span.count, stamps_s.length) - 1;
  while (place < last && stamps_s[place + 1] <= time_s) place++;
  const closer = pick !== 'shown' && place < last && stamps_s[place + 1] - time_s < time_s - stamps_s[place];
  return closer ? place + 1 : place;
}

/** The last frame at or before the time. A stamp may lie after its frame's time by what rounding to ticks makes. */
function shownPlace(file: VideoFile, span: Span, time_s: number): number {
  const after = placeFrom(file.index, file.index.shown, time_s / file.tick_s);
  const last = span.first + span.count - 1;
  if (after > last) return last;
  if (after <= span.first) return span.first;
  const step_s = timeAt(file, after) - timeAt(file, after - 1);
  const rounding_s = Math.min(0.51 * file.tick_s, 0.25 * step_s);
  return timeAt(file, after) - time_s <= rounding_s ? after : after - 1;
}

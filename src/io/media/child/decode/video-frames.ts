import type { FrameLocator } from '#core/episode';
import type { FrameOutcome, PlannedFrame } from '../../media-port.ts';
import { planFrames } from '../../plan-frames.ts';
import type { BatchRequest } from '../../protocol.ts';
import { Unshown } from '../shown-frame.ts';
import { type DecodeProblem, framesIn } from '../video/decode-frames.ts';
import { openVideo } from '../video/open-video.ts';
import { rotationOf, spanOf, timeAt } from '../video/span.ts';
import { RgbScalers } from './rgb-scalers.ts';

/** Frames of a span of a video file. Throws Unshown where it cannot be used at all. */
export function* videoFrames(
  path: string,
  locator: Extract<FrameLocator, { type: 'video' }>,
  { stamps_s, wishes, from, plan: chosen }: BatchRequest,
): Generator<FrameOutcome, void, undefined> {
  const file = openVideo(path);
  const span = spanOf(file, locator.from_s, locator.to_s);
  if (span.count === 0) throw new Unshown('no frame of the video lies in the episode');
  const given = locator.unstamped === true ? stamps_s : null;
  const own = (_: unknown, row: number) => timeAt(file, span.first + row) - span.from_s;
  const times_s = given?.subarray(0, span.count) ?? Float64Array.from({ length: span.count }, own);
  const plan = (chosen ?? planFrames(times_s, wishes)).slice(from);
  const problems: DecodeProblem[] = [];
  const places = plan.map(({ row }) => span.first + row);
  let at = 0;
  using scalers = new RgbScalers(wishes, rotationOf(file.stream.codecpar));
  for (const { place, frame } of framesIn(file, places, problems)) {
    for (; at < plan.length && places[at] !== place; at++) yield undecoded(plan[at], problems);
    const { row, time_s, wishes: own } = plan[at++];
    yield { row, time_s, pictures: scalers.pictures(frame, own) };
  }
  for (; at < plan.length; at++) yield undecoded(plan[at], problems);
}

const undecoded = (planned: PlannedFrame, problems: readonly DecodeProblem[]): FrameOutcome => ({
  ...planned,
  reason: problems[0]?.text ?? 'the decoder gives nothing for it',
});

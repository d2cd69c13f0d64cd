import { clockOf, type FrameLocator, type Frames, type GripperConvention, type Stream } from '#core/episode';
import { observedRange } from '../shared/observed-range.ts';
import { rowAt, type Span } from './span.ts';

/**
 * The rows of a stream from `from_s` to before `to_s`, times counted from `zero_s`. Null: it has no clock to cut by.
 */
export function cutStream(
  stream: Stream,
  { from_s, to_s }: Pick<Span, 'from_s' | 'to_s'>,
  zero_s: number,
): Stream | null {
  const chosen = clockOf(stream);
  if (chosen === null) return null;
  const first = rowAt(chosen.time_s, from_s);
  const end = Math.max(first, rowAt(chosen.time_s, to_s));
  const { series, frames } = stream;
  return {
    ...stream,
    sample_count: end - first,
    clocks: stream.clocks.map((clock) => ({
      ...clock,
      time_s: clock.time_s.slice(first, end).map((time) => time - zero_s),
    })),
    ...(series === undefined
      ? {}
      : {
          series: {
            values: series.values.subarray(first * series.dims, end * series.dims),
            dims: series.dims,
          },
        }),
    ...(frames === undefined ? {} : { frames: cutFrames(frames, stream, { first, end, zero_s }) }),
  };
}

interface Rows {
  readonly first: number;
  readonly end: number;
  readonly zero_s: number;
}

/** Pictures stay where they are: the locator of some of them. */
function cutFrames(frames: Frames, stream: Stream, rows: Rows): Frames {
  const { first, end, zero_s } = rows;
  const { payloads, kept } = frames;
  return {
    ...frames,
    locator: cutLocator(frames.locator, stream, rows),
    ...(payloads === undefined
      ? {}
      : {
          payloads: {
            crc32: payloads.crc32.subarray(first, end),
            bytes: payloads.bytes.subarray(first, end),
          },
        }),
    ...(kept === undefined
      ? {}
      : {
          kept: kept
            .filter(({ index }) => index >= first && index < end)
            .map((picture) => ({
              ...picture,
              index: picture.index - first,
              time_s: picture.time_s - zero_s,
            })),
        }),
  };
}

function cutLocator(locator: FrameLocator, stream: Stream, { first, end }: Rows): FrameLocator {
  if (locator.type === 'image-files') return { ...locator, paths: locator.paths.slice(first, end) };
  if (locator.type !== 'video' || (first === 0 && end === stream.sample_count)) return locator;
  const { path } = locator;
  if (locator.unstamped === true)
    return {
      type: 'missing',
      path,
      reason: 'the video has no stamps of capture, so that a part of it cannot be found',
    };
  const from = timeInFile(locator.from_s, stream, first);
  // The format's own loader knows nothing of the cut.
  const { asked: _, ...own } = locator;
  return {
    ...own,
    from_s: from,
    to_s: end >= stream.sample_count ? locator.to_s : timeInFile(locator.from_s, stream, end),
    expected_frames: locator.expected_frames === null ? null : end - first,
  };
}

/** By the video's own stamps where they are the clock; where rows are timed otherwise, by the rate that it was written at. */
function timeInFile(from_s: number, stream: Stream, row: number): number {
  const clock = clockOf(stream);
  const rate_hz = stream.declared_rate_hz;
  if (clock === null || (clock.name !== 'pts' && rate_hz !== null)) return from_s + row / (rate_hz ?? 1);
  const time_s = clock.time_s[Math.min(row, clock.time_s.length - 1)];
  return from_s + time_s - clock.time_s[0];
}

/** A gripper's range in the rows that are left. */
export function cutGripper(gripper: GripperConvention, streams: readonly Stream[]): GripperConvention {
  const series = streams.find(({ id }) => id === gripper.stream)?.series;
  return series === undefined
    ? gripper
    : { ...gripper, range_observed: observedRange(series, gripper.dimension) };
}

import { significant } from '#core';
import {
  clockOf,
  type Episode,
  type Finding,
  type FrameLocator,
  type Frames,
  type GripperConvention,
  type Outcome,
  type Stream,
} from '#core/episode';
import { observedRange } from '../shared/observed-range.ts';
import type { Unreadable } from '../shared/reader.ts';
import { extentOf, findSpans, rowAt, type Span, type Spans } from './find-spans.ts';
import type { Recipe } from './recipe-type.ts';

/**
 * The episodes that a recipe makes of a recording, one after another, numbered in its order. Arrays are views where
 * they can be. A recording of which nothing is left is an `Unreadable` that says why.
 */
export function* cutEpisode(recording: Episode, recipe: Recipe): Generator<Episode | Unreadable> {
  const spans = findSpans(recording, recipe);
  const { kept } = spans;
  if (kept.length === 0) {
    yield nothingLeft(recording, recipe);
    return;
  }
  if (isWhole(recording, spans)) {
    yield keptWhole(recording, kept[0], recipe, spans.failure);
    return;
  }
  for (let at = 0; at < kept.length; at++) yield partOf(recording, recipe, spans, at);
}

function isWhole({ streams }: Episode, { kept }: Spans): boolean {
  const extent = extentOf(streams);
  const [only] = kept;
  return (
    kept.length === 1 && (extent === null || (only.from_s === extent.from_s && only.to_s === extent.to_s))
  );
}

function keptWhole(recording: Episode, span: Span, recipe: Recipe, failure: string | null): Episode {
  const findings = failure === null ? [] : [notFollowed(recording, failure)];
  return {
    ...recording,
    cut: { ...cutFacts(recording, span, 1), recipe },
    findings: [...recording.findings, ...findings],
  };
}

function cutFacts({ id, cut }: Episode, { from_s, to_s, begins, ends }: Span, part: number) {
  const start_s = cut?.from_s ?? 0;
  return {
    recording: cut?.recording ?? id,
    part,
    from_s: significant(start_s + from_s, 9),
    to_s: significant(start_s + to_s, 9),
    begins: begins === 'recording' ? (cut?.begins ?? begins) : begins,
    ends: ends === 'recording' ? (cut?.ends ?? ends) : ends,
  };
}

function partOf(recording: Episode, recipe: Recipe, { kept, between }: Spans, at: number): Episode {
  const { from_s, to_s } = kept[at];
  // Whole nanoseconds, so that the clocks and the start move by the same.
  const zero_ns = Math.round(from_s * 1e9);
  const streams = recording.streams.map((stream) => cutStream(stream, kept[at], zero_ns / 1e9) ?? stream.id);
  const cut = streams.filter((stream) => typeof stream !== 'string');
  const left = streams.filter((stream) => typeof stream === 'string');
  const missed = between.filter(
    (gap) =>
      gap.from_s >= (kept[at - 1]?.from_s ?? Number.NEGATIVE_INFINITY) &&
      (at === kept.length - 1 || gap.from_s < kept[at].from_s),
  );
  const extent = extentOf(cut);
  return {
    ...recording,
    id: `${recording.id}#${String(at + 1).padStart(4, '0')}`,
    locator: { ...recording.locator, ...spanOf(recording, from_s, to_s) },
    start_ns: recording.start_ns === null ? null : String(BigInt(recording.start_ns) + BigInt(zero_ns)),
    duration_s: extent === null ? 0 : Math.max(0, Math.min(to_s - from_s, extent.to_s)),
    streams: cut,
    events: during(recording.events, from_s, to_s),
    ...(recording.dropouts === undefined ? {} : { dropouts: during(recording.dropouts, from_s, to_s) }),
    outcome: kept.length === 1 ? recording.outcome : outcomeOfPart(recording.outcome, kept.length),
    grippers: recording.grippers.map((gripper) => cutGripper(gripper, cut)),
    cut: { ...cutFacts(recording, kept[at], at + 1), recipe },
    findings: [
      ...recording.findings,
      ...missed.map((gap) => leftOut(recording, gap)),
      ...(left.length === 0 ? [] : [clockless(recording, left)]),
    ],
  };
}

/** Seconds of the recording, unless its reader counts in something else already. */
function spanOf({ locator }: Episode, from_s: number, to_s: number): Pick<Episode['locator'], 'span'> {
  if (locator.span !== undefined) return {};
  return { span: { unit: 's', from: significant(from_s, 9), to: significant(to_s, 9) } };
}

function during<Item extends { readonly time_s: number }>(
  items: readonly Item[],
  from_s: number,
  to_s: number,
): Item[] {
  return items
    .filter(({ time_s }) => time_s >= from_s && time_s < to_s)
    .map((item) => ({ ...item, time_s: item.time_s - from_s }));
}

function outcomeOfPart(outcome: Outcome, parts: number): Outcome {
  if (outcome.value === 'unknown') return outcome;
  const reason = `the recording ends in ${outcome.value}; which of its ${parts} parts that speaks of is not known`;
  return { value: 'unknown', evidence: 'unknown', reason };
}

function short(time_s: number): string {
  return String(Number(time_s.toFixed(3)));
}

function leftOut({ locator }: Episode, gap: Spans['between'][number]): Finding {
  const { from_s, to_s, why } = gap;
  return {
    code: 'recipe_left_out',
    severity: 'info',
    path: locator.path,
    message: `${short(to_s - from_s)} s of the recording, from ${short(from_s)} to ${short(to_s)} s, are in no episode: ${why}`,
    advice: 'nothing to do, unless they belong to an episode: then change the recipe',
    evidence: { from_s: significant(from_s, 9), to_s: significant(to_s, 9) },
  };
}

function clockless({ locator }: Episode, streams: readonly string[]): Finding {
  return {
    code: 'recipe_stream_uncut',
    severity: 'warning',
    path: locator.path,
    message: `${streams.join(', ')} ${streams.length === 1 ? 'has' : 'have'} no clock, so that it is not known what belongs to which episode; left out`,
    advice: 'record times with it',
  };
}

function notFollowed({ id, locator }: Episode, why: string): Finding {
  return {
    code: 'recipe_not_followed',
    severity: 'warning',
    path: locator.path,
    message: `${id} was kept whole, since the recipe cannot be followed: ${why}`,
    advice: 'correct the recipe, or assess this recording without it',
  };
}

function nothingLeft({ id, index, locator }: Episode, { split, min_length_s }: Recipe): Unreadable {
  const least = min_length_s > 0 ? ` of at least ${min_length_s} s` : '';
  const finding: Finding = {
    code: 'recipe_leaves_nothing',
    severity: 'warning',
    path: locator.path,
    message: `the recipe finds no episode${least} in ${id} (split by ${split.by})`,
    advice: 'correct the recipe, or take the recording out',
  };
  return { unreadable: true, id, index, finding };
}

/**
 * The rows of a stream from `from_s` to before `to_s`, times counted from `zero_s`. Null: it has no clock to cut by.
 */
function cutStream(
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
function cutGripper(gripper: GripperConvention, streams: readonly Stream[]): GripperConvention {
  const series = streams.find(({ id }) => id === gripper.stream)?.series;
  return series === undefined
    ? gripper
    : { ...gripper, range_observed: observedRange(series, gripper.dimension) };
}

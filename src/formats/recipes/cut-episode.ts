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
import { observedRange } from '../shared/grippers.ts';
import type { Unreadable } from '../shared/reader.ts';
import { computeExtent, findFirstRow, findSpans, type Span, type SplitResult } from './find-spans.ts';
import type { Recipe } from './recipe.ts';

/**
 * Yields the parts that a recipe cuts from a recording, numbered in order, an `Unreadable` if nothing remains, or the
 * whole recording with a finding if it cannot be followed. Arrays are views where possible.
 */
export function* cutEpisode(recording: Episode, recipe: Recipe): Generator<Episode | Unreadable> {
  const result = findSpans(recording, recipe);
  const { spans } = result;
  if (spans.length === 0) {
    yield noEpisodeLeft(recording, recipe);
    return;
  }
  if (isWhole(recording, result)) {
    yield wholeEpisode(recording, spans[0], recipe, result.failure);
    return;
  }
  for (let at = 0; at < spans.length; at++) yield buildPart(recording, recipe, result, at);
}

function isWhole({ streams }: Episode, { spans }: SplitResult): boolean {
  const extent = computeExtent(streams);
  const [only] = spans;
  return (
    spans.length === 1 && (extent === null || (only.from_s === extent.from_s && only.to_s === extent.to_s))
  );
}

function wholeEpisode(recording: Episode, span: Span, recipe: Recipe, failure: string | null): Episode {
  const findings = failure === null ? [] : [notFollowedFinding(recording, failure)];
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

function buildPart(
  recording: Episode,
  recipe: Recipe,
  { spans, leftOver }: SplitResult,
  at: number,
): Episode {
  const { from_s, to_s } = spans[at];
  // Whole nanoseconds, so that clocks and start time move by the same amount.
  const zero_ns = Math.round(from_s * 1e9);
  const streams = recording.streams.map((stream) => cutStream(stream, spans[at], zero_ns / 1e9) ?? stream.id);
  const cut = streams.filter((stream) => typeof stream !== 'string');
  const uncut = streams.filter((stream) => typeof stream === 'string');
  const missed = leftOver.filter(
    (gap) =>
      gap.from_s >= (spans[at - 1]?.from_s ?? Number.NEGATIVE_INFINITY) &&
      (at === spans.length - 1 || gap.from_s < spans[at].from_s),
  );
  const extent = computeExtent(cut);
  return {
    ...recording,
    id: `${recording.id}#${String(at + 1).padStart(4, '0')}`,
    locator: { ...recording.locator, ...locatorSpan(recording, from_s, to_s) },
    start_ns: recording.start_ns === null ? null : String(BigInt(recording.start_ns) + BigInt(zero_ns)),
    duration_s: extent === null ? 0 : Math.max(0, Math.min(to_s - from_s, extent.to_s)),
    streams: cut,
    events: selectDuring(recording.events, from_s, to_s),
    ...(recording.dropouts === undefined ? {} : { dropouts: selectDuring(recording.dropouts, from_s, to_s) }),
    outcome: spans.length === 1 ? recording.outcome : partOutcome(recording.outcome, spans.length),
    grippers: recording.grippers.map((gripper) => cutGripper(gripper, cut)),
    cut: { ...cutFacts(recording, spans[at], at + 1), recipe },
    findings: [
      ...recording.findings,
      ...missed.map((gap) => leftOutFinding(recording, gap)),
      ...(uncut.length === 0 ? [] : [clocklessFinding(recording, uncut)]),
    ],
  };
}

/** Returns the span in seconds, unless the locator already has a span in another unit. */
function locatorSpan({ locator }: Episode, from_s: number, to_s: number): Pick<Episode['locator'], 'span'> {
  if (locator.span !== undefined) return {};
  return { span: { unit: 's', from: significant(from_s, 9), to: significant(to_s, 9) } };
}

function selectDuring<Item extends { readonly time_s: number }>(
  items: readonly Item[],
  from_s: number,
  to_s: number,
): Item[] {
  return items
    .filter(({ time_s }) => time_s >= from_s && time_s < to_s)
    .map((item) => ({ ...item, time_s: item.time_s - from_s }));
}

function partOutcome(outcome: Outcome, parts: number): Outcome {
  if (outcome.value === 'unknown') return outcome;
  const reason = `the outcome of the whole recording is ${outcome.value}; it is unknown which of its ${parts} episodes it refers to`;
  return { value: 'unknown', evidence: 'unknown', reason };
}

function formatSeconds(time_s: number): string {
  return String(Number(time_s.toFixed(3)));
}

function leftOutFinding({ locator }: Episode, gap: SplitResult['leftOver'][number]): Finding {
  const { from_s, to_s, why } = gap;
  return {
    code: 'recipe_left_out',
    severity: 'info',
    path: locator.path,
    message: `${formatSeconds(to_s - from_s)} s of the recording (${formatSeconds(from_s)} to ${formatSeconds(to_s)} s) are not in any episode: ${why}`,
    advice: 'nothing to do; if this time belongs to an episode, change the recipe',
    evidence: { from_s: significant(from_s, 9), to_s: significant(to_s, 9) },
  };
}

function clocklessFinding({ locator }: Episode, streams: readonly string[]): Finding {
  return {
    code: 'recipe_stream_uncut',
    severity: 'warning',
    path: locator.path,
    message: `${streams.join(', ')} ${streams.length === 1 ? 'has' : 'have'} no timestamps, so the samples cannot be assigned to episodes; skipped`,
    advice: 'record these streams with timestamps',
  };
}

function notFollowedFinding({ id, locator }: Episode, why: string): Finding {
  return {
    code: 'recipe_not_followed',
    severity: 'warning',
    path: locator.path,
    message: `${id} was not split because the recipe cannot be applied: ${why}`,
    advice: 'correct the recipe, or assess this recording without it',
  };
}

function noEpisodeLeft({ id, index, locator }: Episode, { split, min_length_s }: Recipe): Unreadable {
  const minLength = min_length_s > 0 ? ` of at least ${min_length_s} s` : '';
  const finding: Finding = {
    code: 'recipe_leaves_nothing',
    severity: 'warning',
    path: locator.path,
    message: `the recipe yields no episode${minLength} in ${id} (split by ${split.by})`,
    advice: 'correct the recipe, or remove the recording',
  };
  return { unreadable: true, id, index, finding };
}

/** Returns the rows of a stream in [from_s, to_s), with times relative to `zero_s`; `null` if it has no clock. */
function cutStream(
  stream: Stream,
  { from_s, to_s }: Pick<Span, 'from_s' | 'to_s'>,
  zero_s: number,
): Stream | null {
  const chosen = clockOf(stream);
  if (chosen === null) return null;
  const first = findFirstRow(chosen.time_s, from_s);
  const end = Math.max(first, findFirstRow(chosen.time_s, to_s));
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

/** Cuts the frames of a stream; the pictures themselves are not copied. */
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
      reason: 'the video has no capture timestamps, so the part for this episode cannot be located',
    };
  const from = timeInFile(locator.from_s, stream, first);
  // The format's own loader does not know about the cut.
  const { asked: _, ...rest } = locator;
  return {
    ...rest,
    from_s: from,
    to_s: end >= stream.sample_count ? locator.to_s : timeInFile(locator.from_s, stream, end),
    expected_frames: locator.expected_frames === null ? null : end - first,
  };
}

/**
 * Returns the time of a row in the video file: by the video's timestamps if they are the clock, else by the declared
 * rate.
 */
function timeInFile(from_s: number, stream: Stream, row: number): number {
  const clock = clockOf(stream);
  const rate_hz = stream.declared_rate_hz;
  if (clock === null || (clock.name !== 'pts' && rate_hz !== null)) return from_s + row / (rate_hz ?? 1);
  const time_s = clock.time_s[Math.min(row, clock.time_s.length - 1)];
  return from_s + time_s - clock.time_s[0];
}

/** Returns the gripper with the range of its values in the cut streams. */
function cutGripper(gripper: GripperConvention, streams: readonly Stream[]): GripperConvention {
  const series = streams.find(({ id }) => id === gripper.stream)?.series;
  return series === undefined
    ? gripper
    : { ...gripper, range_observed: observedRange(series, gripper.dimension) };
}

/** Replaces each episode by the parts that a recipe cuts from it, or by an `Unreadable` if nothing remains; `Unreadable` items pass through. */
export async function* cutItems(
  items: AsyncIterable<Episode | Unreadable>,
  recipe: Recipe,
): AsyncGenerator<Episode | Unreadable> {
  for await (const item of items) {
    if ('unreadable' in item) yield item;
    else yield* cutEpisode(item, recipe);
  }
}

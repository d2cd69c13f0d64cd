import { clockOf, type Episode, type Stream, shouldKeepRate } from '#core/episode';
import type { Aspect, Subject } from '../../check.ts';
import { type ClockFeatures, holeFactor, measureIrregularity } from '../../features/clock-features.ts';
import { computeCoarseness, findCommonJumps, measureMissingRows } from '../../features/missing-rows.ts';
import { ramp, roundFinite, scratchBuffer, selectInPlace } from '../../features/numeric.ts';
import { spansInSeconds } from '../../features/stream-rows.ts';

/** Spans `[from, to]` in seconds since the episode's start. */
export type Spans = readonly (readonly [number, number])[];

/** Facts about a stream with imperfect timestamps; perfect ones are only counted. */
export type ClockFacts = {
  readonly stream: string;
  readonly synthesised: boolean;
  readonly samples: number;
  readonly rate_hz: number;
  readonly declared_rate_hz: number | null;
  readonly non_finite: number;
  readonly reversals: number;
  readonly reversed_s: Spans;
  readonly duplicates: number;
  readonly duplicated_s: Spans;
  /** Number of samples that would fill the holes. */
  readonly missing: number;
  readonly longest_hole_s: number;
  readonly holes_s: Spans;
  readonly jitter: number;
};

/** Signs of missing rows in state and action of one table, if the timestamps cannot show them. */
export type RowFacts = {
  readonly stream: string;
  readonly moving: number;
  readonly leaping: number;
  /** Fraction of dimensions that leap at one row, times the isolation of that leap. */
  readonly common_leap: number;
  /** Number of rows at which a third of the dimensions of both streams jump. */
  readonly common_jumps: number;
  readonly leaps_s: Spans;
};

/** Values at which the scores of jitter and of the rate deviation leave 1 and reach 0. */
export const jitterRamp = [0.35, 0.95] as const;
export const rateRamp = [0.02, 0.1] as const;

/**
 * Returns `true` if a stream has any invalid, reversed, duplicated or missing timestamp, or jitter or a rate error
 * that scores below 1.
 */
export function isFaulty(clock: ClockFeatures, { declared_rate_hz }: Stream): boolean {
  return (
    clock.non_finite + clock.reversals + clock.duplicates + clock.missing > 0 ||
    clock.jitter_ratio > jitterRamp[0] ||
    computeRateError(1 / clock.median_step_s, declared_rate_hz) > rateRamp[0]
  );
}

/**
 * Returns the clock statistics that a stream is graded on: without rate-related defects for event-driven streams, and
 * without gaps that the recorder left by thinning.
 */
export function adjustClockFeatures(
  clock: ClockFeatures,
  stream: Stream,
  { dropouts }: Episode,
): ClockFeatures {
  if (!shouldKeepRate(stream)) return ignoreRate(clock);
  if (dropouts === undefined) return clock;
  const thinned = adjustThinnedClock(clock, clockOf(stream)!.time_s);
  // An autopilot writes setpoints and stick inputs when they are sent, so jitter means nothing.
  return stream.role === 'action' ? { ...thinned, jitter_ratio: 0 } : thinned;
}

/**
 * Removes defects that do not apply to event-driven samples: pauses are intended, and two events may
 * coincide.
 */
function ignoreRate(clock: ClockFeatures): ClockFeatures {
  return { ...clock, missing: 0, holes: [], jitter_ratio: 0, duplicates: 0, duplicate_rows: [] };
}

/** Creates the facts about a stream's timestamps as plain JSON, rounded. The stream must have a clock. */
export function createClockFacts(clock: ClockFeatures, stream: Stream): ClockFacts {
  const longest = clock.holes.reduce((most, hole) => Math.max(most, hole.size), 0);
  return {
    stream: stream.id,
    synthesised: clockOf(stream)!.provenance === 'synthesised',
    samples: clock.samples,
    rate_hz: clock.median_step_s > 0 ? roundFinite(1 / clock.median_step_s) : 0,
    declared_rate_hz: stream.declared_rate_hz,
    non_finite: clock.non_finite,
    reversals: clock.reversals,
    reversed_s: createStepSpans(stream, clock.reversal_rows),
    duplicates: clock.duplicates,
    duplicated_s: createStepSpans(stream, clock.duplicate_rows),
    missing: roundFinite(clock.missing, 4),
    longest_hole_s: roundFinite(longest * clock.median_step_s),
    holes_s: spansInSeconds(stream, clock.holes),
    jitter: roundFinite(clock.jitter_ratio, 4),
  };
}

function createStepSpans(stream: Stream, rows: readonly number[]): Spans {
  return spansInSeconds(
    stream,
    rows.map((row) => ({ from: row - 1, to: row })),
  );
}

/**
 * Measures signs of missing rows in state and action of one table with computed timestamps; `null` with recorded
 * timestamps, which show missing rows themselves, or without any sign.
 */
export function measureRows({ features }: Subject): RowFacts | null {
  const pair = features.pair();
  if (pair === null || !pair.same_rows || clockOf(pair.state)?.provenance !== 'synthesised') return null;
  const { action, state } = pair;
  const [ofState, ofAction] = [features.forStream(state), features.forStream(action)];
  const rows = measureMissingRows(state, ofState, action, ofAction);
  const common = features.commonLeap();
  const jumps = findCommonJumps(state, ofState, action, ofAction);
  if (rows === null && common === null && jumps.length < minCommonJumps) return null;
  const coarse = computeCoarseness(state, ofState);
  const at =
    jumps.length >= minCommonJumps
      ? jumps
      : common === null
        ? (rows?.leaps ?? [])
        : [{ from: common.row - 1, to: common.row }];
  return {
    stream: state.id,
    moving: rows?.moving ?? 0,
    leaping: rows?.leaping ?? 0,
    common_leap: common === null ? 0 : roundFinite((common.share * common.isolation) / coarse, 4),
    common_jumps: jumps.length,
    leaps_s: spansInSeconds(state, at),
  };
}

/** Minimum number of moving rows for grading their share. */
const minMovingRows = 20;
/**
 * Scores the share of moving rows that leap, from 1 (no defect) to 0; a single leap may be chance and does not lower
 * it.
 */
export const scoreLeaps = ({ moving, leaping }: RowFacts): number =>
  moving < minMovingRows ? 1 : ramp(Math.max(0, leaping - 1) / moving, 0.015, 0.05);
/** Minimum number of common jumps that are evidence; a single one may be chance. */
const minCommonJumps = 2;
/** Scores the rows at which several dimensions jump: 1 (no defect) below `minCommonJumps` rows, else 0.3. */
export const scoreCommonJumps = ({ common_jumps }: RowFacts): number =>
  common_jumps < minCommonJumps ? 1 : 0.3;
/** Scores the row at which many dimensions leap, from 1 (no defect) to 0. */
export const scoreCommonLeap = ({ common_leap }: RowFacts): number => ramp(common_leap, 0.5, 1.5);

/** Returns |ln(rate / declared rate)|; 0 if either is unknown. */
export function computeRateError(rate_hz: number, declared_hz: number | null): number {
  if (declared_hz === null || !(declared_hz > 0) || !(rate_hz > 0) || rate_hz === Infinity) return 0;
  return Math.abs(Math.log(rate_hz / declared_hz));
}

/** Quantile of the steps up to which they count as regular. */
const usualStepQuantile = 0.95;

/**
 * Adjusts the clock of a recorder that polls a topic's newest message and reports its own losses (PX4's
 * logger): of a 250 Hz sensor it writes sometimes every reading, sometimes every second one. Shorter steps
 * are therefore no jitter, and holes are counted from the longest regular step.
 */
function adjustThinnedClock(clock: ClockFeatures, time_s: Float64Array): ClockFeatures {
  if (clock.missing === 0 && clock.jitter_ratio < holeFactor - 1) return clock;
  const steps = scratchBuffer('thinned-steps', time_s.length);
  let positive = 0;
  for (let i = 1; i < time_s.length; i++) {
    const step = time_s[i] - time_s[i - 1];
    if (step > 0 && step < Infinity) steps[positive++] = step;
  }
  const longest = selectInPlace(steps, positive, Math.floor(usualStepQuantile * (positive - 1)));
  if (!(longest > holeFactor * clock.median_step_s)) return clock;
  const { missing, holes } = measureIrregularity(time_s, longest);
  return { ...clock, median_step_s: longest, missing, holes, jitter_ratio: 0 };
}

/** Losses reported by the recorder. */
export type DropoutFacts = {
  readonly count: number;
  /** Total and longest duration; 0 if the recorder counts blocks instead of times. */
  readonly total_s: number;
  readonly longest_s: number;
  /** Lost messages or blocks; `null` if the recorder measures times only. */
  readonly lost: number | null;
  readonly share: number;
  readonly spans_s: Spans;
};

const maxListedDropouts = 16;

/**
 * Summarizes the losses reported by the recorder, with the longest ones as spans in order of time; `null` if the
 * format does not record losses.
 */
export function measureDropouts({ dropouts, duration_s }: Episode): DropoutFacts | null {
  if (dropouts === undefined) return null;
  let total_s = 0;
  let longest_s = 0;
  let lost: number | null = null;
  for (const dropout of dropouts) {
    total_s += dropout.duration_s ?? 0;
    longest_s = Math.max(longest_s, dropout.duration_s ?? 0);
    if (dropout.lost !== null) lost = (lost ?? 0) + dropout.lost;
  }
  const spans = dropouts
    .toSorted((a, b) => (b.duration_s ?? 0) - (a.duration_s ?? 0))
    .slice(0, maxListedDropouts)
    .map(
      ({ time_s, duration_s }) =>
        [roundFinite(time_s, 9), roundFinite(time_s + (duration_s ?? 0), 9)] as const,
    )
    .sort((a, b) => a[0] - b[0]);
  return {
    count: dropouts.length,
    total_s: roundFinite(total_s),
    longest_s: roundFinite(longest_s),
    lost,
    share: duration_s > 0 ? roundFinite(total_s / duration_s) : 0,
    spans_s: spans,
  };
}

/**
 * Returns one aspect that grades the losses reported by the recorder, from 1 to 0; empty if the score is 1. The share
 * is graded like holes in a clock, the longest one more strictly, since reported losses are certain and need no
 * allowance for jitter. Blocks without a duration do not lower the score.
 */
export function dropoutAspects({ count, total_s, longest_s, share, spans_s }: DropoutFacts): Aspect[] {
  const score = Math.min(ramp(share, 0.005, 0.05), ramp(longest_s, 0.25, 0.5));
  if (score === 1) return [];
  return [
    {
      flag: 'recorder_dropout',
      score,
      observed: share,
      message: () =>
        `the recorder reports ${total_s} s lost in ${count} ${count === 1 ? 'dropout' : 'dropouts'}, the longest ${longest_s} s`,
      marks: spans_s.map(([from_s, to_s]) => ({ stream: 'recorder', from_s, to_s })),
    },
  ];
}

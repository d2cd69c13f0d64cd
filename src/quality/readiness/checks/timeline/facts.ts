import { clockOf, type Episode, keepsRate, type Stream } from '#core/episode';
import type { Subject } from '../../check.ts';
import { type ClockFeatures, holeFactor, irregularity } from '../../features/clocks/clock-features.ts';
import { coarseness, missingRows } from '../../features/clocks/missing-rows.ts';
import { spansInSeconds } from '../../features/marks.ts';
import { plain } from '../../features/plain.ts';
import { ramp } from '../../features/ramp.ts';
import { scratch } from '../../features/scratch.ts';
import { selectInPlace } from '../../features/select.ts';

/** `[from, to]` in seconds since the episode's start. */
export type Spans = readonly (readonly [number, number])[];

/** A stream whose stamps are not perfect; a perfect one is only counted. */
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
  /** Samples that would have filled the holes. */
  readonly missing: number;
  readonly longest_hole_s: number;
  readonly holes_s: Spans;
  readonly jitter: number;
};

/** Signs of missing rows in state and action of one table, where the stamps cannot tell. */
export type RowFacts = {
  readonly stream: string;
  readonly moving: number;
  readonly leaping: number;
  /** Share of dimensions that leap at one row, times how far that leap stands out. */
  readonly common_leap: number;
  readonly leaps_s: Spans;
};

/** Where the score of jitter, and of a rate off the declared one, leaves 1 and where it reaches 0. */
export const jitterRamp = [0.35, 0.95] as const;
export const rateRamp = [0.02, 0.1] as const;

/** Anything about the stamps that does not score 1. */
export function isFaulty(clock: ClockFeatures, { declared_rate_hz }: Stream): boolean {
  return (
    clock.non_finite + clock.reversals + clock.duplicates + clock.missing > 0 ||
    clock.jitter_ratio > jitterRamp[0] ||
    rateError(1 / clock.median_step_s, declared_rate_hz) > rateRamp[0]
  );
}

/** What is held against a stream's clock: what its format and its recorder promise of it. */
export function heldAgainst(clock: ClockFeatures, stream: Stream, { dropouts }: Episode): ClockFeatures {
  if (!keepsRate(stream)) return withoutRate(clock);
  if (dropouts === undefined) return clock;
  const thinned = thinnedClock(clock, clockOf(stream)!.time_s);
  // An autopilot's setpoints and sticks are written when they are sent.
  return stream.role === 'action' ? { ...thinned, jitter_ratio: 0 } : thinned;
}

/** Of samples that come when something happens: pauses are meant, and two things may happen at once. */
function withoutRate(clock: ClockFeatures): ClockFeatures {
  return { ...clock, missing: 0, holes: [], jitter_ratio: 0, duplicates: 0, duplicate_rows: [] };
}

/** What is said of a stream's stamps, as plain JSON. */
export function factsOf(clock: ClockFeatures, stream: Stream): ClockFacts {
  const longest = clock.holes.reduce((most, hole) => Math.max(most, hole.size), 0);
  return {
    stream: stream.id,
    synthesised: clockOf(stream)!.provenance === 'synthesised',
    samples: clock.samples,
    rate_hz: clock.median_step_s > 0 ? plain(1 / clock.median_step_s) : 0,
    declared_rate_hz: stream.declared_rate_hz,
    non_finite: clock.non_finite,
    reversals: clock.reversals,
    reversed_s: pairsAt(stream, clock.reversal_rows),
    duplicates: clock.duplicates,
    duplicated_s: pairsAt(stream, clock.duplicate_rows),
    missing: plain(clock.missing, 4),
    longest_hole_s: plain(longest * clock.median_step_s),
    holes_s: spansInSeconds(stream, clock.holes),
    jitter: plain(clock.jitter_ratio, 4),
  };
}

function pairsAt(stream: Stream, rows: readonly number[]): Spans {
  return spansInSeconds(
    stream,
    rows.map((row) => ({ from: row - 1, to: row })),
  );
}

/** State and action of one table on computed stamps; anywhere else the clock itself shows what is missing. */
export function rowFacts({ features }: Subject): RowFacts | null {
  const pair = features.pair();
  if (pair === null || !pair.same_rows || clockOf(pair.state)?.provenance !== 'synthesised') return null;
  const { action, state } = pair;
  const rows = missingRows(state, features.of(state), action, features.of(action));
  const common = features.commonLeap();
  if (rows === null && common === null) return null;
  const coarse = coarseness(state, features.of(state));
  const at = common === null ? (rows?.leaps ?? []) : [{ from: common.row - 1, to: common.row }];
  return {
    stream: state.id,
    moving: rows?.moving ?? 0,
    leaping: rows?.leaping ?? 0,
    common_leap: common === null ? 0 : plain((common.share * common.isolation) / coarse, 4),
    leaps_s: spansInSeconds(state, at),
  };
}

/** Too few moving rows make no share. */
const fewestMoving = 20;
/** Score of the share of moving rows that leap, 0..1; one leap may be chance. */
export const leapScore = ({ moving, leaping }: RowFacts): number =>
  moving < fewestMoving ? 1 : ramp(Math.max(0, leaping - 1) / moving, 0.015, 0.05);
/** Score of the one row at which many dimensions leap, 0..1. */
export const commonScore = ({ common_leap }: RowFacts): number => ramp(common_leap, 0.5, 1.5);

/** How far a rate lies from the declared one, as |ln(rate / declared)|; 0 where either is not known. */
export function rateError(rate_hz: number, declared_hz: number | null): number {
  if (declared_hz === null || !(declared_hz > 0) || !(rate_hz > 0) || rate_hz === Infinity) return 0;
  return Math.abs(Math.log(rate_hz / declared_hz));
}

/** Steps up to this share of all, from the shortest, are steps that the topic takes. */
const usualShare = 0.95;

/**
 * A clock as a recorder writes it that takes a topic's newest message when it comes round, and notes itself what it
 * loses (PX4's logger): of a sensor of 250 Hz it writes now every reading, now every second one. What such a clock often
 * does is its rate, so its shorter steps are no jitter, and holes are counted from the longest of its usual steps on.
 */
function thinnedClock(clock: ClockFeatures, time_s: Float64Array): ClockFeatures {
  if (clock.missing === 0 && clock.jitter_ratio < holeFactor - 1) return clock;
  const steps = scratch('thinned-steps', time_s.length);
  let positive = 0;
  for (let i = 1; i < time_s.length; i++) {
    const step = time_s[i] - time_s[i - 1];
    if (step > 0 && step < Infinity) steps[positive++] = step;
  }
  const longest = selectInPlace(steps, positive, Math.floor(usualShare * (positive - 1)));
  if (!(longest > holeFactor * clock.median_step_s)) return clock;
  const { missing, holes } = irregularity(time_s, longest);
  return { ...clock, median_step_s: longest, missing, holes, jitter_ratio: 0 };
}

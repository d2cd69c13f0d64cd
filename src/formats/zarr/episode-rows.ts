import type { Clock, ClockChoice, Finding } from '#core/episode';
import { replayViolation } from './rules.ts';

/** Row range of an episode, or the reason why it has none. */
export interface EpisodeRows {
  readonly first: number;
  /** One past the last row. */
  readonly end: number;
  /** Reason why the episode cannot be read; `null` if it can. */
  readonly fault: Finding | null;
  /** Number of declared rows that the arrays lack. */
  readonly missing_rows: number;
}

/**
 * Returns the rows of episode `index`: from the end of the previous episode to its own, cut at the end of the arrays; a
 * `fault` if there are none.
 */
export function findEpisodeRows(ends: Float64Array, index: number, rows: number, path: string): EpisodeRows {
  const first = index === 0 ? 0 : ends[index - 1];
  const declared = ends[index];
  const end = Math.min(declared, rows);
  const isValid = Number.isSafeInteger(first) && Number.isSafeInteger(declared) && first >= 0;
  if (isValid && end > first) return { first, end, fault: null, missing_rows: declared - end };
  const message =
    isValid && declared > first
      ? `episode ${index} should start at row ${first}, but the arrays end at row ${rows}`
      : `episode ${index} has no rows: it should start at row ${first} and end before row ${declared}`;
  const fault: Finding = {
    ...{ code: 'episode_without_rows', severity: 'error', path, message },
    advice: 'remove the episode from episode_ends, or restore its rows',
  };
  return { first, end: first, fault, missing_rows: 0 };
}

/**
 * Returns findings for ends that do not increase or do not match the arrays; the library asserts some of this and fails
 * on the rest.
 */
export function checkEnds(ends: Float64Array, rows: number, path: string): Finding[] {
  const findings: Finding[] = [];
  const notIncreasing: number[] = [];
  for (let i = 0; i < ends.length; i++) if (!(ends[i] > (i === 0 ? 0 : ends[i - 1]))) notIncreasing.push(i);
  if (notIncreasing.length > 0)
    findings.push(
      replayViolation(
        'episode_ends_not_increasing',
        path,
        `episode_ends does not increase at ${notIncreasing.length === 1 ? 'episode' : 'episodes'} ${notIncreasing.slice(0, 8).join(', ')}${notIncreasing.length > 8 ? ' and others' : ''}, so these episodes have no rows`,
        { episodes: notIncreasing.slice(0, 50), count: notIncreasing.length },
      ),
    );
  const last = ends.length === 0 ? 0 : ends[ends.length - 1];
  if (last !== rows)
    findings.push(
      replayViolation(
        'episode_ends_mismatch',
        path,
        last > rows
          ? `episode_ends ends at row ${last}, but the arrays end at row ${rows}: ${last - rows} rows are missing`
          : `episode_ends ends at row ${last}, but the arrays end at row ${rows}: ${rows - last} rows belong to no episode`,
        { declared: last, found: rows },
      ),
    );
  return findings;
}

/** Clock of an episode's rows. */
export interface RowClock {
  readonly clock: Clock;
  readonly choice: ClockChoice;
  /** Start of the clock, nanoseconds since 1970; `null` if the stamps are not relative to 1970. */
  readonly start_ns: string | null;
  readonly duration_s: number;
}

/** GoPro's 59.94 Hz, exactly 60000 / 1001. */
const umiRate_hz = 60_000 / 1001;
/** Stamps above this (1973) are seconds since 1970. */
const minEpochStamp_s = 1e8;
/** Relative tolerance of an even step, as for LeRobot: no real clock is this even. */
const gridTolerance = 1e-3;
const minGridFraction = 0.9;

/** Returns the synthesised clock of a UMI episode at 59.94 Hz, since its rows are frames of a GoPro without times. */
export function umiClock(rows: number): RowClock {
  const time_s = Float64Array.from({ length: rows }, (_, row) => row / umiRate_hz);
  const reason = 'UMI stores no timestamps; its rows are GoPro frames at 59.94 Hz';
  return {
    clock: { name: 'row / 59.94 Hz', provenance: 'synthesised', time_s },
    choice: { index: 0, reason },
    start_ns: null,
    duration_s: rows / umiRate_hz,
  };
}

/**
 * Returns the clock of the array `timestamp`, `synthesised` if nearly all steps are equal, else `log`; stamps since
 * 1970 are made relative to the episode's first stamp.
 */
export function stampClock(stamps: Float64Array): RowClock {
  const origin_s = stamps.length > 0 && stamps[0] > minEpochStamp_s ? stamps[0] : null;
  const time_s = origin_s === null ? stamps : stamps.map((stamp) => stamp - origin_s);
  const rows = time_s.length;
  const span = rows === 0 ? 0 : time_s[rows - 1] - time_s[0];
  const period = rows > 1 ? span / (rows - 1) : 0;
  const { even, step } = countEvenSteps(time_s);
  const computed = rows > 1 && even >= minGridFraction * (rows - 1);
  const rate = step > 0 ? `${Number((1 / step).toPrecision(4))} Hz` : 'one time';
  return {
    clock: { name: 'timestamp', provenance: computed ? 'synthesised' : 'log', time_s },
    choice: {
      index: 0,
      reason: computed
        ? `${even} of ${rows - 1} steps of the array timestamp match ${rate}: timestamps were computed, not measured`
        : 'the array timestamp, the only clock of the dataset',
    },
    start_ns: origin_s === null ? null : String(BigInt(Math.round(origin_s * 1e6)) * 1000n),
    duration_s: Number.isFinite(span) ? Math.max(0, span + period) : 0,
  };
}

/** Counts the steps as long as the first one, from which the library takes its dt. */
function countEvenSteps(time_s: Float64Array): { even: number; step: number } {
  const step = time_s.length > 1 ? time_s[1] - time_s[0] : 0;
  let even = 0;
  for (let row = 1; row < time_s.length; row++) {
    const steps = (time_s[row] - time_s[row - 1]) / step;
    if (Math.abs(steps - 1) < gridTolerance) even++;
  }
  return { even, step };
}

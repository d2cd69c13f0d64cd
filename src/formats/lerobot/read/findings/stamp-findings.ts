import { significant } from '#core';
import type { Finding } from '#core/episode';
import { createLeRobotViolation, type LeRobotRuleId } from '../../rules/contract.ts';
import { tolerance_s } from '../../rules/readers.ts';

/** A first timestamp above this is a host clock, counting from boot or 1970, in seconds. */
const minHostClock_s = 3600;
/** Fraction of timestamps off the grid from which they count as measured, so that single gaps are not reported. */
const minMeasuredFraction = 0.2;

/** Deviations of an episode's timestamps from the grid. */
interface StampFaults {
  /** Largest deviation of a step from a multiple of 1 / fps, in seconds. */
  readonly worst_step_s: number;
  /** Largest deviation of a timestamp from a multiple of 1 / fps, in seconds. */
  readonly worst_place_s: number;
  readonly off_grid: number;
  /** True if all steps are equal and not 1 / fps. */
  readonly other_rate: boolean;
  readonly repeated: readonly number[];
  readonly backwards: readonly number[];
  /** Rows after a gap, with the number of missing periods. */
  readonly gaps: readonly (readonly [row: number, missing: number])[];
}

/**
 * Returns findings on timestamps, in seconds, that are not frame_index / fps within `tolerance_s`; empty for v3 sets
 * without video and for regular timestamps at another rate. Such a rate is reported once for the set. Version 2 of the
 * library checks the steps of every set when it opens it; version 3 requests the picture at each timestamp, so that
 * sets without video are not checked.
 */
export function checkStampsAgainstGrid(
  stamps: Float64Array,
  fps: number,
  layout: 'v2' | 'v3',
  hasVideo: boolean,
  path: string,
): Finding[] {
  if ((layout === 'v3' && !hasVideo) || stamps.length === 0) return [];
  const faults = findStampFaults(stamps, fps);
  if (faults === null) return [];
  const violation = (id: LeRobotRuleId, message: string) => createLeRobotViolation(layout, id, path, message);
  const first_s = stamps[0];
  if (first_s > minHostClock_s)
    return [
      violation(
        'timestamps_host_clock',
        `the first timestamp is ${formatSeconds(first_s)}: timestamps come from a host clock instead of frame_index / ${fps}`,
      ),
    ];
  // Regular timestamps at another rate mean a wrong fps, reported once for the set.
  if (faults.other_rate) return [];
  const findings: Finding[] = [];
  const { backwards, repeated, gaps } = faults;
  if (backwards.length > 0)
    findings.push(violation('timestamps_backwards', `timestamps go backwards at ${formatRows(backwards)}`));
  if (first_s > tolerance_s) {
    const frames = Math.round(first_s * fps);
    findings.push(
      violation(
        'timestamps_start_late',
        `the first timestamp is ${formatSeconds(first_s)} instead of 0: rows are paired with the frame ${frames === 1 ? 'one position' : `${frames} positions`} later, and the last rows with no frame or one of another episode`,
      ),
    );
  }
  const measured = faults.off_grid >= minMeasuredFraction * stamps.length;
  if (faults.off_grid > 0 && (layout === 'v3' || faults.worst_step_s > tolerance_s))
    findings.push(violation('timestamps_off_grid', offGridMessage(faults, fps, layout)));
  if (!measured && repeated.length > 0)
    findings.push(
      violation(
        'timestamps_repeated',
        `duplicate timestamps: same as the previous row at ${formatRows(repeated)}`,
      ),
    );
  if (!measured && gaps.length > 0) findings.push(violation('timestamps_gap', gapMessage(gaps, stamps, fps)));
  return findings;
}

/**
 * Returns the faults of the timestamps; null if all are correct, or if one is not finite, which another check reports.
 */
function findStampFaults(stamps: Float64Array, fps: number): StampFaults | null {
  const period_s = 1 / fps;
  let correct = Math.abs(stamps[0]) <= tolerance_s;
  for (let row = 1; row < stamps.length && correct; row++)
    correct = Math.abs(stamps[row] - stamps[row - 1] - period_s) <= tolerance_s;
  if (correct && Math.abs(stamps[stamps.length - 1] - (stamps.length - 1) * period_s) <= tolerance_s)
    return null;
  if (!stamps.every(Number.isFinite)) return null;
  const repeated: number[] = [];
  const backwards: number[] = [];
  const gaps: [number, number][] = [];
  let worst_step_s = 0;
  let worst_place_s = 0;
  let off_grid = 0;
  for (let row = 1; row < stamps.length; row++) {
    const step_s = stamps[row] - stamps[row - 1];
    const periods = Math.round(step_s * fps);
    const step_error_s = Math.abs(step_s - periods * period_s);
    const place_s = stamps[row] - stamps[0];
    const place_error_s = Math.abs(place_s - Math.round(place_s * fps) * period_s);
    worst_step_s = Math.max(worst_step_s, step_error_s);
    worst_place_s = Math.max(worst_place_s, place_error_s);
    if (step_error_s > tolerance_s || place_error_s > tolerance_s) off_grid += 1;
    if (step_s < 0) backwards.push(row);
    else if (periods === 0) repeated.push(row);
    else if (periods > 1) gaps.push([row, periods - 1]);
  }
  const other_rate = isOtherRate(stamps, period_s);
  return { worst_step_s, worst_place_s, off_grid, other_rate, repeated, backwards, gaps };
}

/** Returns true if all steps are equal, within float32 and half the tolerance, and their mean is not 1 / fps. */
function isOtherRate(stamps: Float64Array, period_s: number): boolean {
  const steps = stamps.length - 1;
  if (steps < 2) return false;
  const mean_s = (stamps[steps] - stamps[0]) / steps;
  if (Math.abs(mean_s - period_s) * steps <= tolerance_s) return false;
  for (let row = 1; row <= steps; row++)
    if (Math.abs(stamps[row] - stamps[row - 1] - mean_s) > tolerance_s / 2) return false;
  return true;
}

/** Describes the deviation: version 2 checks the steps, version 3 each timestamp. */
function offGridMessage(
  { worst_step_s, worst_place_s, off_grid }: StampFaults,
  fps: number,
  layout: 'v2' | 'v3',
): string {
  const worst_s = layout === 'v2' ? Math.max(worst_step_s, worst_place_s) : worst_place_s;
  const needed_s = significant(worst_s * 1.05, 2);
  return `${off_grid} ${off_grid === 1 ? 'timestamp is' : 'timestamps are'} not ${off_grid === 1 ? 'a multiple' : 'multiples'} of 1 / ${fps} s, off by up to ${significant(1000 * worst_s, 3)} ms; loading needs tolerance_s=${needed_s}`;
}

function gapMessage(
  gaps: readonly (readonly [row: number, missing: number])[],
  stamps: Float64Array,
  fps: number,
): string {
  const missing = gaps.reduce((sum, [, rows]) => sum + rows, 0);
  const [row, first] = gaps[0];
  return `missing rows: ${missing} in total according to the timestamps; the first gap is ${first} ${first === 1 ? 'row' : 'rows'} (${significant(first / fps, 3)} s) before row ${row}, at ${formatSeconds(stamps[row])}`;
}

function formatRows(rows: readonly number[]): string {
  const shown = rows.slice(0, 4).join(', ');
  const more = rows.length > 4 ? ` and ${rows.length - 4} more` : '';
  return `${rows.length === 1 ? 'row' : 'rows'} ${shown}${more}`;
}

const formatSeconds = (value_s: number): string => `${significant(value_s, 6)} s`;

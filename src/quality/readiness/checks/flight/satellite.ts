import type { Episode, Stream } from '#core/episode';
import type { Aspect } from '../../check.ts';
import type { Spans } from '../../features/motion.ts';
import { ramp, roundFinite } from '../../features/numeric.ts';
import { spansInSeconds } from '../../features/stream-rows.ts';
import { computeLongestRun_s, findActiveRuns, findColumn, maskFlightRows } from './flight-rows.ts';

/** Fix quality of a satellite receiver in flight. */
export type SatelliteFacts = {
  readonly stream: string;
  readonly samples: number;
  readonly degraded: number;
  /** Samples without a 3D fix; `null` if the stream does not record the fix type. */
  readonly without_fix: number | null;
  readonly longest_s: number;
  readonly degraded_s: Spans;
};

interface FixColumns {
  readonly fix: ((row: number) => number) | null;
  readonly horizontal_m: ((row: number) => number) | null;
  readonly vertical_m: ((row: number) => number) | null;
  readonly satellites: ((row: number) => number) | null;
}

/** Fix type of a 3D fix; the same number in PX4, ArduPilot and MAVLink. */
const fix3d = 3;
const minHorizontalLimit_m = 5;
const maxVertical_m = 10;
const maxReceivers = 4;

/**
 * Measures how often and how long each satellite receiver is degraded in flight; omits receivers without fix quality,
 * and all beyond the first `maxReceivers`.
 */
export function measureSatellites(episode: Episode): SatelliteFacts[] {
  return episode.streams
    .filter(({ role }) => role === 'gnss')
    .flatMap((stream) => measureReceiver(episode, stream) ?? [])
    .slice(0, maxReceivers);
}

function measureReceiver(episode: Episode, stream: Stream): SatelliteFacts | null {
  const quality: FixColumns = {
    fix: findColumn(stream, /^(fix_type|status)$/i),
    horizontal_m: findColumn(stream, /^(eph|hacc)$/i),
    vertical_m: findColumn(stream, /^(epv|vacc)$/i),
    satellites: findColumn(stream, /^(satellites_used|nsats)$/i),
  };
  if (quality.fix === null && quality.horizontal_m === null) return null;
  const inFlight = maskFlightRows(episode, stream);
  const rows = [...inFlight.keys()].filter((row) => inFlight[row] === 1);
  if (rows.length === 0) return null;
  const fixed = rows.filter((row) => quality.fix === null || quality.fix(row) >= fix3d);
  const isDegraded = createRowJudge(quality, fixed);
  const state = new Uint8Array(stream.sample_count);
  for (const row of rows) if (isDegraded(row)) state[row] = 1;
  const runs = findActiveRuns(state);
  return {
    stream: stream.id,
    samples: rows.length,
    degraded: state.reduce((sum, one) => sum + one, 0),
    without_fix: quality.fix === null ? null : rows.length - fixed.length,
    longest_s: roundFinite(computeLongestRun_s(stream, runs), 4),
    degraded_s: spansInSeconds(stream, runs),
  };
}

/**
 * Creates a function that tells whether a row is degraded, compared with the medians of the rows with a fix.
 */
function createRowJudge(
  { fix, horizontal_m, vertical_m, satellites }: FixColumns,
  fixed: readonly number[],
): (row: number) => boolean {
  const usual_m = horizontal_m === null ? null : computeFiniteMedian(fixed.map(horizontal_m));
  const usual = satellites === null ? null : computeFiniteMedian(fixed.map(satellites));
  return (row) =>
    (fix !== null && !(fix(row) >= fix3d)) ||
    (horizontal_m !== null && horizontal_m(row) > Math.max(minHorizontalLimit_m, 3 * (usual_m ?? 0))) ||
    (vertical_m !== null && vertical_m(row) > maxVertical_m) ||
    (satellites !== null && usual !== null && satellites(row) < usual / 2);
}

function computeFiniteMedian(values: readonly number[]): number | null {
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  return finite.length === 0 ? null : finite[finite.length >> 1];
}

/**
 * Grades a receiver from 1 to 0, by the lower of two scores: fraction of degraded samples (1 at 1 %, 0 at 5 %) and
 * longest degraded run (1 at 1 s, 0 at 5 s).
 */
export function satelliteAspect({
  stream,
  samples,
  degraded,
  without_fix,
  longest_s,
  degraded_s,
}: SatelliteFacts): Aspect {
  return {
    flag: 'gnss_degraded',
    score: Math.min(ramp(degraded / samples, 0.01, 0.05), ramp(longest_s, 1, 5)),
    observed: roundFinite(degraded / samples, 4),
    message: () =>
      `${stream}: ${degraded} of ${samples} samples in flight are degraded (${describeFix(without_fix)}), for up to ${longest_s} s at a time; the recording does not show whether interference is the cause`,
    marks: degraded_s.map(([from_s, to_s]) => ({ stream, from_s, to_s })),
  };
}

function describeFix(withoutFix: number | null): string {
  if (withoutFix === null) return 'fix type not recorded';
  return withoutFix === 0 ? '3D fix throughout' : `${withoutFix} without a 3D fix`;
}

import type { Episode, Stream } from '#core/episode';
import type { Aspect } from '../../check.ts';
import { spansInSeconds } from '../../features/marks.ts';
import type { Spans } from '../../features/motion.ts';
import { plain } from '../../features/plain.ts';
import { ramp } from '../../features/ramp.ts';
import { columnOf, flightRows, longestRun_s, runsOf } from './rows.ts';

/** What a satellite receiver said of its own fix in flight. */
export type SatelliteFacts = {
  readonly stream: string;
  readonly samples: number;
  readonly degraded: number;
  /** null: this stream of the receiver does not say whether it has one. */
  readonly without_fix: number | null;
  readonly longest_s: number;
  readonly degraded_s: Spans;
};

interface Quality {
  readonly fix: ((row: number) => number) | null;
  readonly horizontal_m: ((row: number) => number) | null;
  readonly vertical_m: ((row: number) => number) | null;
  readonly satellites: ((row: number) => number) | null;
}

/** Fix type of a position in three dimensions: the same number in PX4, ArduPilot and MAVLink. */
const fix3d = 3;
const leastHorizontal_m = 5;
const mostVertical_m = 10;
const mostStreams = 4;

/** One entry a receiver that speaks of its fix. */
export function satelliteFacts(episode: Episode): SatelliteFacts[] {
  return episode.streams
    .filter(({ role }) => role === 'gnss')
    .flatMap((stream) => factsOf(episode, stream) ?? [])
    .slice(0, mostStreams);
}

function factsOf(episode: Episode, stream: Stream): SatelliteFacts | null {
  const quality: Quality = {
    fix: columnOf(stream, /^(fix_type|status)$/i),
    horizontal_m: columnOf(stream, /^(eph|hacc)$/i),
    vertical_m: columnOf(stream, /^(epv|vacc)$/i),
    satellites: columnOf(stream, /^(satellites_used|nsats)$/i),
  };
  if (quality.fix === null && quality.horizontal_m === null) return null;
  const inFlight = flightRows(episode, stream);
  const rows = [...inFlight.keys()].filter((row) => inFlight[row] === 1);
  if (rows.length === 0) return null;
  const fixed = rows.filter((row) => quality.fix === null || quality.fix(row) >= fix3d);
  const isDegraded = judgeRow(quality, fixed);
  const state = new Uint8Array(stream.sample_count);
  for (const row of rows) if (isDegraded(row)) state[row] = 1;
  const runs = runsOf(state);
  return {
    stream: stream.id,
    samples: rows.length,
    degraded: state.reduce((sum, one) => sum + one, 0),
    without_fix: quality.fix === null ? null : rows.length - fixed.length,
    longest_s: plain(longestRun_s(stream, runs), 4),
    degraded_s: spansInSeconds(stream, runs),
  };
}

/** Against what was usual among the rows with a fix: their medians. */
function judgeRow(
  { fix, horizontal_m, vertical_m, satellites }: Quality,
  fixed: readonly number[],
): (row: number) => boolean {
  const usual_m = horizontal_m === null ? null : medianOf(fixed.map(horizontal_m));
  const usual = satellites === null ? null : medianOf(fixed.map(satellites));
  return (row) =>
    (fix !== null && !(fix(row) >= fix3d)) ||
    (horizontal_m !== null && horizontal_m(row) > Math.max(leastHorizontal_m, 3 * (usual_m ?? 0))) ||
    (vertical_m !== null && vertical_m(row) > mostVertical_m) ||
    (satellites !== null && usual !== null && satellites(row) < usual / 2);
}

function medianOf(values: readonly number[]): number | null {
  const finite = Float64Array.from(values.filter(Number.isFinite)).sort();
  return finite.length === 0 ? null : finite[finite.length >> 1];
}

/** The lesser of: share of degraded samples, 1 at 1 %, 0 at 5 %; longest run of them, 1 at 1 s, 0 at 5 s. */
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
    observed: plain(degraded / samples, 4),
    message: () =>
      `${stream}: ${degraded} of ${samples} samples in flight are degraded, ${fixOf(without_fix)}, for ${longest_s} s at most; whether by interference the recording cannot tell`,
    marks: degraded_s.map(([from_s, to_s]) => ({ stream, from_s, to_s })),
  };
}

function fixOf(without: number | null): string {
  if (without === null) return 'whether there was a fix is not said here';
  return without === 0 ? 'the fix held' : `${without} of them without a 3D fix`;
}

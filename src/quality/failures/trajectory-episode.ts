import type { Trajectory } from '#core/api';
import { type Episode, type Stream, unknownOutcome } from '#core/episode';

const given = { unit: 'unknown', evidence: 'unknown', reason: 'the record does not say' } as const;

/** A trajectory of a record as an episode, so that it is described as recordings are. */
export function trajectoryEpisode(id: string, trajectory: Trajectory): Episode {
  const { state, action } = trajectory;
  const streams = [
    ...(state === undefined ? [] : [streamOf('state', state, trajectory)]),
    ...(action === undefined ? [] : [streamOf('action', action, trajectory)]),
  ];
  const ends = streams.map(({ clocks }) => clocks[0]?.time_s.at(-1) ?? 0);
  return {
    id,
    index: 0,
    locator: { format: 'failure-record', path: id },
    sources: [],
    start_ns: null,
    duration_s: Math.max(0, ...ends),
    streams,
    events: [],
    tasks: null,
    outcome: unknownOutcome,
    robot: null,
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
  };
}

function streamOf(
  role: 'state' | 'action',
  rows: readonly (readonly number[])[],
  { rate_hz, times_s }: Trajectory,
): Stream {
  const dims = rows[0].length;
  const values = new Float64Array(rows.length * dims);
  for (const [i, row] of rows.entries()) values.set(row, i * dims);
  const time_s = timesOf(rows.length, rate_hz, times_s);
  return {
    id: role,
    role,
    modality: 'numeric',
    shape: [dims],
    names: null,
    unit: given,
    declared_rate_hz: rate_hz ?? null,
    sample_count: rows.length,
    clocks: time_s === null ? [] : [{ name: 'record', provenance: 'synthesised', time_s }],
    clock: time_s === null ? null : { index: 0, reason: 'the only one' },
    series: { values, dims },
  };
}

/** Seconds since the first sample; null where the record has neither times nor a rate. */
function timesOf(
  count: number,
  rate_hz: number | undefined,
  times_s: readonly number[] | undefined,
): Float64Array | null {
  if (times_s !== undefined) return Float64Array.from(times_s, (at) => at - times_s[0]);
  return rate_hz === undefined ? null : Float64Array.from({ length: count }, (_, i) => i / rate_hz);
}

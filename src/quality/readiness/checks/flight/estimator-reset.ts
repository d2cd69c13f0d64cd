import { armedSpans, type Episode, type Stream, timesOf } from '#core/episode';
import type { FlagRow } from '../../check.ts';
import { errorsOf, type Report, reportOf, type Told } from './report.ts';
import { columnOf } from './rows.ts';

export const estimatorResetFlag: FlagRow = {
  code: 'estimator_reset',
  severity: 'warning',
  meaning:
    'The estimator jumped to another position, velocity or heading in flight, or reported that it failed.',
  advice:
    'Do not train on position and heading across the mark; look for bad satellites, compass or vibration.',
};

/** Counters of PX4's vehicle_local_position with the jump each counts, and how far one must go to matter. */
const counters = [
  [/^xy_reset_counter$/, [/^delta_xy\[0\]$/, /^delta_xy\[1\]$/], 1, 'position reset'],
  [/^z_reset_counter$/, [/^delta_z$/], 1, 'height reset'],
  [/^vxy_reset_counter$/, [/^delta_vxy\[0\]$/, /^delta_vxy\[1\]$/], 1, 'velocity reset'],
  [/^heading_reset_counter$/, [/^delta_heading$/], 0.35, 'heading reset'],
] as const;

/** ArduPilot's errors of its Kalman filters. */
const subsystems = { 16: 'EKF variance', 24: 'EKF changed over' } as const;

/** Estimators settle on fixes and compass until shortly after take-off. */
const settling_s = 10;

/** Jumps of the estimate that the autopilot flew by, later than ten seconds after it was armed. */
export function estimatorResets(episode: Episode): Report | null {
  const armed = armedSpans(episode.events, episode.duration_s)?.map(([from_s]) => from_s) ?? [0];
  const settled = ({ from_s }: Told): boolean =>
    !armed.some((since_s) => from_s >= since_s - 1 && from_s < since_s + settling_s);
  for (const stream of episode.streams) {
    if (!/^vehicle_local_position(\.|$)/.test(stream.id)) continue;
    const report = reportOf('estimator_reset', stream.id, jumpsOf(stream).filter(settled), episode);
    if (report !== null) return report;
  }
  return reportOf('estimator_reset', 'ERR', errorsOf(episode, subsystems).filter(settled), episode);
}

function jumpsOf(stream: Stream): Told[] {
  const times = timesOf(stream);
  if (times === null) return [];
  return counters.flatMap(([counter, deltas, least, what]) => {
    const count = columnOf(stream, counter);
    const jump = deltas.map((field) => columnOf(stream, field));
    if (count === null) return [];
    const told: Told[] = [];
    for (let row = 1; row < stream.sample_count; row++) {
      if (count(row) === count(row - 1)) continue;
      const size = Math.hypot(...jump.map((delta) => delta?.(row) ?? 0));
      if (size >= least) told.push({ what, from_s: times[row - 1], to_s: times[row] });
    }
    return told;
  });
}

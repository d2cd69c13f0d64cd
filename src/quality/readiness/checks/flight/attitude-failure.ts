import { type Episode, type Stream, timesOf } from '#core/episode';
import type { FlagRow } from '../../check.ts';
import { errorsOf, type Report, reportOf, type Told } from './report.ts';
import { columnOf, runsOf } from './rows.ts';

export const attitudeFailureFlag: FlagRow = {
  code: 'attitude_failure',
  severity: 'blocking',
  meaning: 'The autopilot reported in flight that it had lost its attitude or height, or had crashed.',
  advice: 'Leave the flight out from the mark on: the aircraft no longer did what it was commanded.',
};

/** Bits of PX4's vehicle_status.failure_detector_status, and the fields that took their place. */
const failures = [
  [1, /^fd_roll$/, 'roll failure'],
  [2, /^fd_pitch$/, 'pitch failure'],
  [4, /^fd_alt$/, 'height failure'],
] as const;

/** ArduPilot's subsystems that say so. */
const subsystems = { 12: 'crash check' } as const;

/** What PX4's failure detector or ArduPilot's crash check said of the attitude. */
export function attitudeFailures(episode: Episode): Report | null {
  for (const stream of episode.streams) {
    if (!/^(vehicle_status|failure_detector_status)(\.|$)/.test(stream.id)) continue;
    const report = reportOf('attitude_failure', stream.id, toldBy(stream), episode);
    if (report !== null) return report;
  }
  return reportOf('attitude_failure', 'ERR', errorsOf(episode, subsystems), episode);
}

function toldBy(stream: Stream): Told[] {
  const times = timesOf(stream);
  const bits = columnOf(stream, /^failure_detector_status$/);
  if (times === null) return [];
  return failures.flatMap(([bit, field, what]) => {
    const own = columnOf(stream, field);
    if (own === null && bits === null) return [];
    const state = Uint8Array.from({ length: stream.sample_count }, (_, row) => {
      const said = own !== null ? own(row) !== 0 : (bits!(row) & bit) !== 0;
      return said ? 1 : 0;
    });
    return runsOf(state).map(({ from, to }) => ({ what, from_s: times[from], to_s: times[to] }));
  });
}

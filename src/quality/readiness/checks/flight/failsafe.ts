import type { Episode } from '#core/episode';
import type { FlagRow } from '../../check.ts';
import { errorsOf, type Report, reportOf, type Told } from './report.ts';

export const failsafeFlag: FlagRow = {
  code: 'autopilot_failsafe',
  severity: 'warning',
  meaning: 'The autopilot went into a failsafe in flight: it flew by its own rules and not as commanded.',
  advice: 'Leave the marked span out of training; look which link, battery or fence it was.',
};

/** ArduPilot's subsystems whose errors are failsafes. */
const subsystems = {
  5: 'radio failsafe',
  6: 'battery failsafe',
  8: 'ground station failsafe',
  9: 'fence failsafe',
  17: 'EKF failsafe',
  21: 'terrain failsafe',
  23: 'terrain failsafe',
  26: 'sensor failsafe',
  29: 'vibration failsafe',
  31: 'dead reckoning failsafe',
} as const;

/** Failsafes by PX4's vehicle_status or ArduPilot's errors. */
export function failsafes(episode: Episode): Report | null {
  const told: Told[] = [];
  let since_s: number | null = null;
  for (const { label, source, time_s } of episode.events) {
    if (source !== 'vehicle_status.failsafe') continue;
    if (label === 'failsafe') since_s ??= time_s;
    else if (since_s !== null) {
      told.push({ what: 'failsafe', from_s: since_s, to_s: time_s });
      since_s = null;
    }
  }
  if (since_s !== null) told.push({ what: 'failsafe', from_s: since_s, to_s: episode.duration_s });
  return (
    reportOf('autopilot_failsafe', 'vehicle_status.failsafe', told, episode) ??
    reportOf('autopilot_failsafe', 'ERR', errorsOf(episode, subsystems), episode)
  );
}

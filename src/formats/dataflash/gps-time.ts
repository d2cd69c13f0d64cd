import { gpsEpoch_s, gpsWeek_s, leapSecondsAt } from '../shared/gps-time.ts';

/** Microseconds since the UNIX epoch of a GPS week and the milliseconds in it. NaN before 2006 and for no number. */
export function gpsToUtc_us(week: number, week_ms: number): number {
  const gps_s = week * gpsWeek_s + week_ms / 1e3;
  const leap_s = leapSecondsAt(gps_s);
  return leap_s === null ? Number.NaN : Math.round((gpsEpoch_s + gps_s - leap_s) * 1e6);
}

import { gpsEpoch_s, gpsWeek_s, leapSecondsAt } from '../shared/gps-time.ts';

/** Week and seconds of it as nanoseconds since the UNIX epoch; null for what no receiver shows since 2006. */
export function unixOfGps(week: number, time_of_week_s: number): bigint | null {
  if (!Number.isSafeInteger(week) || !(time_of_week_s >= 0 && time_of_week_s < gpsWeek_s)) return null;
  const leap_s = leapSecondsAt(week * gpsWeek_s + time_of_week_s);
  if (leap_s === null || week > 10_000) return null;
  const whole_s = gpsEpoch_s + week * gpsWeek_s - leap_s;
  return BigInt(whole_s) * 1_000_000_000n + BigInt(Math.round(time_of_week_s * 1e9));
}

/** Rows of week and seconds as seconds since the first of them: weeks that turn over go on counting. */
export function gpsSeconds(rows: Float64Array): Float64Array {
  const seconds = new Float64Array(rows.length / 2);
  for (let i = 0; i < seconds.length; i++)
    seconds[i] = (rows[2 * i] - rows[0]) * gpsWeek_s + (rows[2 * i + 1] - rows[1]);
  return seconds;
}

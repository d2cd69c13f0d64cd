/** Seconds of a GPS week. */
const week_s = 604_800;
/** 1980-01-06, in UNIX seconds. */
const gpsEpoch_s = 315_964_800;

/** Seconds that GPS time is ahead of UTC, from a UNIX time on (IERS bulletin C; none since 2017). */
const leaps: readonly (readonly [from_s: number, leap_s: number])[] = [
  [1_483_228_800, 18],
  [1_435_708_800, 17],
  [1_341_100_800, 16],
  [1_230_768_000, 15],
  [1_136_073_600, 14],
];

/** Week and seconds of it as nanoseconds since the UNIX epoch; null for what no receiver shows since 2006. */
export function unixOfGps(week: number, time_of_week_s: number): bigint | null {
  if (!Number.isSafeInteger(week) || !(time_of_week_s >= 0 && time_of_week_s < week_s)) return null;
  const whole_s = gpsEpoch_s + week * week_s;
  const leap = leaps.find(([from_s]) => whole_s + time_of_week_s >= from_s);
  if (leap === undefined || week > 10_000) return null;
  return BigInt(whole_s - leap[1]) * 1_000_000_000n + BigInt(Math.round(time_of_week_s * 1e9));
}

/** Rows of week and seconds as seconds since the first of them: weeks that turn over go on counting. */
export function gpsSeconds(rows: Float64Array): Float64Array {
  const seconds = new Float64Array(rows.length / 2);
  for (let i = 0; i < seconds.length; i++)
    seconds[i] = (rows[2 * i] - rows[0]) * week_s + (rows[2 * i + 1] - rows[1]);
  return seconds;
}

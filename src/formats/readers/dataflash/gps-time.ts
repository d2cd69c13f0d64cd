/** Seconds from the UNIX epoch to that of GPS, 1980-01-06. */
const gpsEpoch_s = 315_964_800;
const week_s = 604_800;

/** By when UTC had fallen behind GPS by how many seconds: IERS Bulletin C; none since 2017. */
const leaps: readonly (readonly [utc: string, seconds: number])[] = [
  ['2017-01-01', 18],
  ['2015-07-01', 17],
  ['2012-07-01', 16],
  ['2009-01-01', 15],
  ['2006-01-01', 14],
  ['1999-01-01', 13],
];

/** Microseconds since the UNIX epoch of a GPS week and the milliseconds in it. NaN before 1999 and for no number. */
export function gpsToUtc_us(week: number, week_ms: number): number {
  const gps_s = gpsEpoch_s + week * week_s + week_ms / 1e3;
  const leap = leaps.find(([utc, seconds]) => gps_s >= Date.parse(`${utc}T00:00:00Z`) / 1e3 + seconds);
  return leap === undefined ? Number.NaN : Math.round((gps_s - leap[1]) * 1e6);
}

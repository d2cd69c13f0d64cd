/** Length of a GPS week in seconds. */
export const gpsWeek_s = 604_800;
/** GPS epoch (1980-01-06) in UNIX seconds. */
export const gpsEpoch_s = 315_964_800;

/** GPS − UTC offset in seconds since each date (IERS Bulletin C); unchanged since 2017. */
const leapSeconds: readonly (readonly [utc: string, seconds: number])[] = [
  ['2017-01-01', 18],
  ['2015-07-01', 17],
  ['2012-07-01', 16],
  ['2009-01-01', 15],
  ['2006-01-01', 14],
];
const leapSteps = leapSeconds.map(
  ([utc, seconds]) => [Date.parse(`${utc}T00:00:00Z`) / 1e3 - gpsEpoch_s + seconds, seconds] as const,
);

/**
 * Returns GPS − UTC in whole seconds at a GPS time given in seconds since the GPS epoch; `null` before 2006 and for
 * NaN. A receiver that reports such a time has lost the week count.
 */
export function leapSecondsAt(gps_s: number): number | null {
  return leapSteps.find(([from_s]) => gps_s >= from_s)?.[1] ?? null;
}

/** Seconds of a GPS week. */
export const gpsWeek_s = 604_800;
/** The epoch of GPS, 1980-01-06, in UNIX seconds. */
export const gpsEpoch_s = 315_964_800;

/** From when on UTC lay how many seconds behind GPS: IERS Bulletin C; none since 2017. */
const leaps: readonly (readonly [utc: string, seconds: number])[] = [
  ['2017-01-01', 18],
  ['2015-07-01', 17],
  ['2012-07-01', 16],
  ['2009-01-01', 15],
  ['2006-01-01', 14],
];
const steps = leaps.map(
  ([utc, seconds]) => [Date.parse(`${utc}T00:00:00Z`) / 1e3 - gpsEpoch_s + seconds, seconds] as const,
);

/**
 * Seconds by which UTC lies behind GPS at a GPS time, seconds since its epoch. null before 2006 and for no number: a
 * receiver that says so has lost count of the weeks.
 */
export function leapSecondsAt(gps_s: number): number | null {
  return steps.find(([from_s]) => gps_s >= from_s)?.[1] ?? null;
}

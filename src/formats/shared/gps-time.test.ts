import { describe, expect, it } from 'vitest';
import { gpsEpoch_s, leapSecondsAt } from './gps-time.ts';

const gpsOf = (utc: string, leap_s: number) => Date.parse(utc) / 1e3 - gpsEpoch_s + leap_s;

describe('leap seconds between GPS and UTC', () => {
  it('begin when UTC reaches the first second after them', () => {
    expect(leapSecondsAt(gpsOf('2017-01-01T00:00:00Z', 18))).toBe(18);
    expect(leapSecondsAt(gpsOf('2017-01-01T00:00:00Z', 18) - 2)).toBe(17);
    expect(leapSecondsAt(gpsOf('2026-06-01T00:00:00Z', 18))).toBe(18);
    expect(leapSecondsAt(gpsOf('2013-06-01T00:00:00Z', 16))).toBe(16);
  });

  it('are unknown for a receiver that lost count of the weeks, and for no number', () => {
    expect(leapSecondsAt(gpsOf('1999-08-22T00:00:00Z', 13))).toBeNull();
    expect(leapSecondsAt(Number.NaN)).toBeNull();
  });
});

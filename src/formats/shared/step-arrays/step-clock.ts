import { significant } from '#core';
import type { Clock, ClockChoice, Stream } from '#core/episode';

/** A rate that somebody says, and where. */
export interface KnownRate {
  readonly hz: number;
  readonly source: string;
}

export interface StepClock {
  readonly rate: KnownRate;
  readonly clock: Clock;
  readonly choice: ClockChoice;
}

/** These files keep no times: there is a clock only where a rate is known, and it proves nothing about capture. */
export function clockOfSteps(steps: number, rate: KnownRate): StepClock;
export function clockOfSteps(steps: number, rate: KnownRate | null): StepClock | null;
export function clockOfSteps(steps: number, rate: KnownRate | null): StepClock | null {
  if (rate === null) return null;
  const time_s = new Float64Array(steps);
  for (let step = 0; step < steps; step++) time_s[step] = step / rate.hz;
  const name = `step / ${significant(rate.hz)} Hz`;
  const reason = `the file keeps no times; ${name} stands in: ${rate.source}`;
  return { rate, clock: { name, provenance: 'synthesised', time_s }, choice: { index: 0, reason } };
}

/** The clock of a stream; none where it has more samples than there are steps. */
export function clockPart(
  clock: StepClock | null,
  samples: number,
): Pick<Stream, 'clocks' | 'clock' | 'declared_rate_hz'> {
  const declared_rate_hz = clock?.rate.hz ?? null;
  if (clock === null || samples > clock.clock.time_s.length) {
    return { clocks: [], clock: null, declared_rate_hz };
  }
  const { time_s } = clock.clock;
  const own =
    samples === time_s.length ? clock.clock : { ...clock.clock, time_s: time_s.subarray(0, samples) };
  return { clocks: [own], clock: clock.choice, declared_rate_hz };
}

/** From the first step to one period past the last; 0 where no rate is known. */
export function durationOf(steps: number, rate: KnownRate | null): number {
  return rate === null ? 0 : steps / rate.hz;
}

import type { Clock, ClockChoice } from '#core/episode';
import type { KnownDataset } from './known-datasets.ts';

export interface StepClock {
  readonly clock: Clock;
  readonly choice: ClockChoice;
}

/** RLDS keeps neither times nor a rate: there is a clock only where the data set is known to run at one. */
export function clockOfSteps(steps: number, known: KnownDataset | null): StepClock | null {
  const rate = known?.rate ?? null;
  if (rate === null) return null;
  const time_s = new Float64Array(steps);
  for (let step = 0; step < steps; step++) time_s[step] = step / rate.hz;
  const reason = `RLDS keeps no times; step / ${rate.hz} Hz stands in, known of the data set by its name: ${rate.reason}`;
  return {
    clock: { name: `step / ${rate.hz} Hz`, provenance: 'synthesised', time_s },
    choice: { index: 0, reason },
  };
}

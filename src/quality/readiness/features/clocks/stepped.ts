import type { StreamFeatures } from '../stream-features.ts';

/** A stream that keeps its values more often than it changes them comes in steps. */
const mostRepeats = 0.5;

/** Whether every dimension repeats its value in most rows, as commands of keys and slow policies do. */
export function isStepped({ columns, samples, dims }: StreamFeatures): boolean {
  for (let d = 0; d < dims; d++) if (columns.zero_steps[d] <= mostRepeats * samples) return false;
  return dims > 0;
}

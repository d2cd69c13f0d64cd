import { setFlagsFromString } from 'node:v8';
import type { Plan } from './plan.ts';

/** From here on memory counts for more than the last third of speed. */
const large = { episodes: 20_000, bytes: 400e6 };

/**
 * Has the engine collect garbage early for large recordings. Left to itself it lets each thread's heap grow to several
 * times what is alive, which for 100,000 episodes is hundreds of megabytes. Both flags are read whenever a heap is
 * about to grow, so setting them now takes effect, in threads that are started later as well.
 */
export function boundMemory({ episodes_expected, bytes_expected }: Plan): void {
  if (episodes_expected < large.episodes && bytes_expected < large.bytes) return;
  setFlagsFromString('--heap-growing-percent=30');
  setFlagsFromString('--semi-space-growth-factor=1');
}

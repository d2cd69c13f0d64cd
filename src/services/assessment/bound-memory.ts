import { setFlagsFromString } from 'node:v8';

/**
 * Has the engine collect garbage early. Left to itself it lets each thread's heap grow to several times what is alive,
 * which for 100,000 episodes is hundreds of megabytes. Both flags are read whenever a heap is about to grow, so that
 * setting them now takes effect, in threads that are started later as well. Costs a third of the speed.
 */
export function boundMemory(): void {
  setFlagsFromString('--heap-growing-percent=30');
  setFlagsFromString('--semi-space-growth-factor=1');
}

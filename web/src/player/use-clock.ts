import { useSyncExternalStore } from 'react';
import type { PlayClock } from './play-clock.ts';

/** What is read off the clock, read again when it says so. */
export const useClock = <Value extends string | number | boolean | null>(
  clock: PlayClock,
  read: (clock: PlayClock) => Value,
): Value => useSyncExternalStore(clock.subscribe, () => read(clock));

import { useSyncExternalStore } from 'react';
import type { PlayClock } from './play-clock.ts';

/** Returns a value read from the clock, and reads it again whenever the clock changes. */
export const useClock = <Value extends string | number | boolean | null>(
  clock: PlayClock,
  read: (clock: PlayClock) => Value,
): Value => useSyncExternalStore(clock.subscribe, () => read(clock));

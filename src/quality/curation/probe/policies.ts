import { nearestNeighbours } from './nearest-neighbours.ts';
import type { Policy } from './policy.ts';
import { ridge } from './ridge.ts';

/** What a probe trains on every subset. */
export const policies: readonly Policy[] = [ridge, nearestNeighbours];

import { limits } from '#core';
import type { StopReason } from '#core/api';

/** What stop rules look at, after each call of the model and after each round of tools. */
export interface LoopState {
  /** Rounds of tools that were run. */
  readonly steps: number;
  /** Calls that the model wants run now. */
  readonly wanted: number;
  readonly cancelled: boolean;
}

interface StopRule {
  readonly reason: StopReason;
  readonly holds: (state: LoopState) => boolean;
}

/** The first that holds ends the turn. */
const stopRules: readonly StopRule[] = [
  { reason: 'cancelled', holds: ({ cancelled }) => cancelled },
  { reason: 'complete', holds: ({ wanted }) => wanted === 0 },
  { reason: 'step_limit', holds: ({ steps }) => steps >= limits.copilot.tool_rounds.value },
];

/** Why the turn ends now; null: it goes on. */
export const stopReasonOf = (state: LoopState): StopReason | null =>
  stopRules.find(({ holds }) => holds(state))?.reason ?? null;

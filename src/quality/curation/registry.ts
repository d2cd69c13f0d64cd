import { defineRegistry } from '#core';
import { decision, flag, heldOut, idleTrim, length, score } from './strategies/filters.ts';
import { balance, demonstrationInformation, diversity, failureBoost, random } from './strategies/sampling.ts';
import { exactDuplicate, nearDuplicate, outlier } from './strategies/similarity.ts';
import type { Strategy } from './strategy.ts';

/** All strategies, in the usual order of a plan. */
export const strategies = defineRegistry([
  heldOut,
  decision,
  score,
  flag,
  length,
  exactDuplicate,
  nearDuplicate,
  outlier,
  demonstrationInformation,
  failureBoost,
  balance,
  diversity,
  random,
  idleTrim,
]);

/** Id of a registered strategy. */
export type StrategyId = (typeof strategies.ids)[number];

/** Returns a strategy by its id, or `undefined` if there is none. */
export const strategyOf = (id: string): Strategy | undefined => strategies.get(id);

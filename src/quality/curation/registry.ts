import { defineRegistry } from '#core';
import { balance } from './strategies/balance.ts';
import { decision } from './strategies/decision.ts';
import { demonstrationInformation } from './strategies/demonstration-information.ts';
import { diversity } from './strategies/diversity.ts';
import { exactDuplicate } from './strategies/exact-duplicate.ts';
import { failureBoost } from './strategies/failure-boost.ts';
import { flag } from './strategies/flag.ts';
import { heldOut } from './strategies/held-out.ts';
import { idleTrim } from './strategies/idle-trim.ts';
import { length } from './strategies/length.ts';
import { nearDuplicate } from './strategies/near-duplicate.ts';
import { outlier } from './strategies/outlier.ts';
import { random } from './strategies/random.ts';
import { score } from './strategies/score.ts';
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

/** Returns a strategy by its id; undefined if there is none. */
export const strategyOf = (id: string): Strategy | undefined => strategies.get(id);

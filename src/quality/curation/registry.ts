import { defineRegistry } from '#core';
import { balance } from './strategies/balance.ts';
import { decision } from './strategies/decision.ts';
import { demonstrationInformation } from './strategies/demonstration-information.ts';
import { diversity } from './strategies/diversity.ts';
import { exactDuplicate } from './strategies/exact-duplicate.ts';
import { failureBoost } from './strategies/failure-boost.ts';
import { flag } from './strategies/flag.ts';
import { idleTrim } from './strategies/idle-trim.ts';
import { length } from './strategies/length.ts';
import { nearDuplicate } from './strategies/near-duplicate.ts';
import { outlier } from './strategies/outlier.ts';
import { random } from './strategies/random.ts';
import { score } from './strategies/score.ts';
import type { Strategy } from './strategy.ts';

/** Every strategy, in the order in which a plan usually has them. */
export const strategies = defineRegistry([
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

export type StrategyId = (typeof strategies.ids)[number];

/** A strategy by its id. */
export const strategyOf = (id: string): Strategy | undefined => strategies.get(id);

import type { z } from 'zod';
import type { Random } from '#core';
import type { CurationEpisode } from './curation-episode.ts';

/** Input of a stage. */
interface StageInput {
  /** Episodes that remain after the earlier stages, sorted by id. */
  readonly episodes: readonly CurationEpisode[];
  /** Random generator, seeded by the plan and the number of the stage. */
  readonly random: Random;
  /** Weights above 1 of episodes that an earlier stage boosted; stages that select a share keep these first. */
  readonly boosts: ReadonlyMap<string, number>;
}

/** Part of an episode that an export keeps, in seconds since its start. */
export interface TrimMark {
  readonly from_s: number;
  readonly to_s: number;
}

/** Decisions of a stage. Episodes that it does not name stay. */
export interface StageOutcome {
  /** Reasons for dropping episodes, by id. */
  readonly dropped?: ReadonlyMap<string, string>;
  /** Reasons why episodes could not be assessed, by id; they stay. */
  readonly not_assessable?: ReadonlyMap<string, string>;
  /** Remaining parts of trimmed episodes, by id. */
  readonly trims?: ReadonlyMap<string, TrimMark>;
  /** Sampling weights above 1, by id. */
  readonly boosts?: ReadonlyMap<string, number>;
}

/** Optional facts that a strategy uses; decision, score, flags and duration always exist. */
export type Need = 'content_hash' | 'motion' | 'picture' | 'sample' | 'idle';

interface StrategyRow<Id extends string, Schema extends z.ZodObject> {
  readonly id: Id;
  readonly title: string;
  /** Description with the formula. */
  readonly about: string;
  /** Publication of the method; null if the formula is self-explanatory. */
  readonly source: string | null;
  readonly needs: readonly Need[];
  /** Schema with ranges and defaults. */
  readonly parameters: Schema;
  run(input: StageInput, parameters: z.output<Schema>): StageOutcome;
}

/** Way of selecting episodes; pure, and deterministic for the same input and seed. */
export interface Strategy<Id extends string = string> extends Omit<StrategyRow<Id, z.ZodObject>, 'run'> {
  /** Runs the strategy. Throws a ZodError if the parameters do not match its schema. */
  run(input: StageInput, parameters: unknown): StageOutcome;
}

/**
 * Returns the strategy with a `run` that first validates its parameters and fills in defaults; throws `ZodError` for
 * invalid ones.
 */
export function defineStrategy<const Id extends string, Schema extends z.ZodObject>(
  row: StrategyRow<Id, Schema>,
): Strategy<Id> {
  return { ...row, run: (input, parameters) => row.run(input, row.parameters.parse(parameters)) };
}

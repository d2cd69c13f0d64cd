import type { z } from 'zod';
import type { Random } from '#core';
import type { CurationEpisode } from './curation-episode.ts';

/** What a stage sees. */
interface StageInput {
  /** What earlier stages left, in the order of ids. */
  readonly episodes: readonly CurationEpisode[];
  /** Seeded by the plan and the place of the stage. */
  readonly random: Random;
  /** Weight of episodes that an earlier stage boosted, above 1. Stages that choose among sound episodes keep these. */
  readonly boosts: ReadonlyMap<string, number>;
}

/** A part of an episode that an export leaves out, in seconds since its start. */
export interface TrimMark {
  readonly from_s: number;
  readonly to_s: number;
}

/** What a stage decides. An episode it does not name stays. */
export interface StageOutcome {
  /** Why each goes, by id. */
  readonly dropped?: ReadonlyMap<string, string>;
  /** Why it could not be looked at, by id; such an episode stays. */
  readonly not_assessable?: ReadonlyMap<string, string>;
  /** What remains of an episode, by id. */
  readonly trims?: ReadonlyMap<string, TrimMark>;
  /** Factors above 1, by id. */
  readonly boosts?: ReadonlyMap<string, number>;
}

/** What a strategy looks at beside decision, score, flags and duration, which every episode has. */
export type Need = 'content_hash' | 'motion' | 'picture' | 'sample' | 'idle';

interface StrategyRow<Id extends string, Schema extends z.ZodObject> {
  readonly id: Id;
  readonly title: string;
  /** What it does and by which formula, in words that can be checked. */
  readonly about: string;
  /** Where the method comes from; null: it follows from its formula. */
  readonly source: string | null;
  readonly needs: readonly Need[];
  /** Ranges and defaults. */
  readonly parameters: Schema;
  run(input: StageInput, parameters: z.output<Schema>): StageOutcome;
}

/** One way of choosing episodes: pure, and the same for the same input and seed. */
export interface Strategy<Id extends string = string> extends Omit<StrategyRow<Id, z.ZodObject>, 'run'> {
  /** Throws a ZodError where the parameters are not what its schema asks for. */
  run(input: StageInput, parameters: unknown): StageOutcome;
}

/** Keeps the types of the parameters inside the strategy. */
export function defineStrategy<const Id extends string, Schema extends z.ZodObject>(
  row: StrategyRow<Id, Schema>,
): Strategy<Id> {
  return { ...row, run: (input, parameters) => row.run(input, row.parameters.parse(parameters)) };
}

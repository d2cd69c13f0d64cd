import { canonicalJson, type JsonObject, type JsonValue, seededRandom, sha256 } from '#core';
import { type Composition, computeComposition } from './composition.ts';
import { byId, type CurationEpisode } from './curation-episode.ts';
import { type CurationPlan, heldOutStage } from './plan.ts';
import { strategyOf } from './registry.ts';
import { createFrame } from './report-frame.ts';
import type { StageOutcome, TrimMark } from './strategy.ts';

/** Counts of one stage of a plan. */
export interface StageReport {
  /** Number of the stage, from 1. */
  readonly stage: number;
  readonly strategy: string;
  readonly parameters: JsonObject;
  /** Number of input episodes; the next fields count how the stage treated them. */
  readonly looked_at: number;
  readonly dropped: number;
  readonly not_assessable: number;
  readonly trimmed: number;
  readonly boosted: number;
  /** Most frequent reasons why episodes could not be assessed, with counts; at most 5. */
  readonly reasons: readonly { readonly reason: string; readonly episodes: number }[];
}

/** Episode that a plan drops. */
export interface DroppedEpisode {
  readonly id: string;
  /** Number of the stage that dropped it, from 1. */
  readonly stage: number;
  readonly strategy: string;
  readonly reason: string;
}

/** Result of running a plan. Every episode is either in `kept` or in `dropped`. */
export interface CurationResult {
  readonly plan: CurationPlan;
  /** SHA-256 over all facts of the input episodes. */
  readonly input_hash: string;
  readonly stages: readonly StageReport[];
  readonly kept: readonly string[];
  readonly dropped: readonly DroppedEpisode[];
  readonly trims: Readonly<Record<string, TrimMark>>;
  /** Sampling weights above 1. */
  readonly boosts: Readonly<Record<string, number>>;
  readonly before: Composition;
  readonly after: Composition;
  /** SHA-256 of the canonical JSON of plan, input hash and decisions. */
  readonly plan_hash: string;
}

const maxListedReasons = 5;

/**
 * Runs the stages of a resolved plan in order, each on the episodes that remain, and returns which are kept, dropped
 * (with the reason), trimmed and boosted; throws for an unknown strategy. Independent of the input order; ids must be
 * unique.
 */
export function runPlan(plan: CurationPlan, all: readonly CurationEpisode[]): CurationResult {
  const input = [...all].sort(byId);
  let episodes: readonly CurationEpisode[] = input;
  const dropped: DroppedEpisode[] = [];
  const trims = new Map<string, TrimMark>();
  const boosts = new Map<string, number>();
  const stages: StageReport[] = [];
  let seeds = 0;
  for (const [at, { strategy: id, parameters }] of plan.stages.entries()) {
    const strategy = strategyOf(id);
    if (strategy === undefined) throw new Error(`the plan was not resolved: ${id}`);
    // Stages have different seeds, so that two equal stages draw different episodes.
    if (id !== heldOutStage) seeds++;
    const random = seededRandom((plan.seed + Math.imul(seeds, 0x9e3779b9)) >>> 0);
    const outcome = strategy.run({ episodes, random, boosts }, parameters);
    stages.push(
      createStageReport({ stage: at + 1, strategy: id, parameters, looked_at: episodes.length }, outcome),
    );
    for (const [episode, trim] of outcome.trims ?? []) trims.set(episode, trim);
    for (const [episode, factor] of outcome.boosts ?? [])
      boosts.set(episode, Math.max(factor, boosts.get(episode) ?? 1));
    for (const episode of episodes) {
      const reason = outcome.dropped?.get(episode.id);
      if (reason !== undefined) dropped.push({ id: episode.id, stage: at + 1, strategy: id, reason });
    }
    episodes = episodes.filter((episode) => outcome.dropped?.has(episode.id) !== true);
  }
  const frame = createFrame(input);
  const remainingIds = episodes.map((episode) => episode.id);
  const decided = {
    plan,
    input_hash: computeInputHash(input),
    kept: remainingIds,
    dropped,
    trims: selectById(trims, remainingIds),
    boosts: selectById(boosts, remainingIds),
  };
  return {
    ...decided,
    stages,
    before: computeComposition(input, frame),
    after: computeComposition(episodes, frame),
    plan_hash: computePlanHash(decided),
  };
}

/** Returns the SHA-256 of the canonical JSON of the decisions of a plan. */
export function computePlanHash(
  decided: Pick<CurationResult, 'plan' | 'input_hash' | 'kept' | 'dropped' | 'trims' | 'boosts'>,
): string {
  return sha256(canonicalJson(JSON.parse(JSON.stringify(decided)) as JsonValue));
}

function createStageReport(
  stage: Pick<StageReport, 'stage' | 'strategy' | 'parameters' | 'looked_at'>,
  { dropped, not_assessable, trims, boosts }: StageOutcome,
): StageReport {
  const counts = new Map<string, number>();
  for (const reason of not_assessable?.values() ?? []) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return {
    ...stage,
    dropped: dropped?.size ?? 0,
    not_assessable: not_assessable?.size ?? 0,
    trimmed: trims?.size ?? 0,
    boosted: boosts?.size ?? 0,
    reasons: [...counts]
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, maxListedReasons)
      .map(([reason, episodes]) => ({ reason, episodes })),
  };
}

/** Returns the values of these ids as a record, in the order of the ids. */
function selectById<Value>(
  values: ReadonlyMap<string, Value>,
  ids: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const value = values.get(id);
      return value === undefined ? [] : [[id, value]];
    }),
  );
}

/** Returns the SHA-256 over all facts of the episodes, which must be sorted by id. */
function computeInputHash(episodes: readonly CurationEpisode[]): string {
  return sha256(episodes.map((episode) => sha256(canonicalJson(collectFacts(episode)))).join('\n'));
}

function collectFacts({
  motion,
  picture,
  sample,
  layouts,
  content_hash,
  idle,
  flags,
  ...facts
}: CurationEpisode): JsonObject {
  return {
    ...facts,
    flags: [...flags].sort(),
    content_hash: content_hash ?? null,
    idle: idle === undefined ? null : { ...idle },
    layouts: layouts === undefined ? null : { ...layouts },
    motion: hashValues(motion),
    picture: hashValues(picture),
    sample:
      sample === undefined
        ? null
        : { layout: sample.layout, states: hashValues(sample.states), actions: hashValues(sample.actions) },
  };
}

function hashValues(values: Float32Array | undefined): string | null {
  return values === undefined
    ? null
    : sha256(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

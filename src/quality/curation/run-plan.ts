import { canonicalJson, type JsonObject, type JsonValue, seededRandom, sha256 } from '#core';
import { byId, type CurationEpisode } from './curation-episode.ts';
import type { CurationPlan } from './plan.ts';
import { strategyOf } from './registry.ts';
import { type Composition, compositionOf } from './report/composition.ts';
import { createFrame } from './report/frame.ts';
import type { StageOutcome, TrimMark } from './strategy.ts';

export interface StageReport {
  /** From 1. */
  readonly stage: number;
  readonly strategy: string;
  readonly parameters: JsonObject;
  /** Episodes that came in, and what became of them. */
  readonly looked_at: number;
  readonly dropped: number;
  readonly not_assessable: number;
  readonly trimmed: number;
  readonly boosted: number;
  /** Why episodes could not be assessed, the most frequent first, with counts. */
  readonly reasons: readonly { readonly reason: string; readonly episodes: number }[];
}

export interface DroppedEpisode {
  readonly id: string;
  /** Place of the stage that dropped it, from 1. */
  readonly stage: number;
  readonly strategy: string;
  readonly reason: string;
}

/** What a plan makes of a set of episodes. Every episode is either in `kept` or in `dropped`. */
export interface CurationResult {
  readonly plan: CurationPlan;
  /** SHA-256 over all that was known of the episodes. */
  readonly input_hash: string;
  readonly stages: readonly StageReport[];
  readonly kept: readonly string[];
  readonly dropped: readonly DroppedEpisode[];
  readonly trims: Readonly<Record<string, TrimMark>>;
  /** Sampling weights above 1. */
  readonly boosts: Readonly<Record<string, number>>;
  readonly before: Composition;
  readonly after: Composition;
  /** SHA-256 of the canonical JSON of plan, input hash and what became of every episode. */
  readonly plan_hash: string;
}

const reasonsShown = 5;

/** Runs the stages in order over what each leaves. The order of the episodes does not matter; ids are unique. */
export function runPlan(plan: CurationPlan, all: readonly CurationEpisode[]): CurationResult {
  const input = [...all].sort(byId);
  let episodes: readonly CurationEpisode[] = input;
  const dropped: DroppedEpisode[] = [];
  const trims = new Map<string, TrimMark>();
  const boosts = new Map<string, number>();
  const stages: StageReport[] = [];
  for (const [at, { strategy: id, parameters }] of plan.stages.entries()) {
    const strategy = strategyOf(id);
    if (strategy === undefined) throw new Error(`the plan was not resolved: ${id}`);
    // Seeds of stages differ, so that two alike do not choose alike.
    const random = seededRandom((plan.seed + Math.imul(at + 1, 0x9e3779b9)) >>> 0);
    const outcome = strategy.run({ episodes, random, boosts }, parameters);
    stages.push(reportOf({ stage: at + 1, strategy: id, parameters, looked_at: episodes.length }, outcome));
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
  const kept = episodes.map((episode) => episode.id);
  const decided = {
    plan,
    input_hash: inputHash(input),
    kept,
    dropped,
    trims: only(trims, kept),
    boosts: only(boosts, kept),
  };
  return {
    ...decided,
    stages,
    before: compositionOf(input, frame),
    after: compositionOf(episodes, frame),
    plan_hash: planHashOf(decided),
  };
}

/** SHA-256 of the canonical JSON of what a plan decided. */
export function planHashOf(
  decided: Pick<CurationResult, 'plan' | 'input_hash' | 'kept' | 'dropped' | 'trims' | 'boosts'>,
): string {
  return sha256(canonicalJson(JSON.parse(JSON.stringify(decided)) as JsonValue));
}

function reportOf(
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
      .slice(0, reasonsShown)
      .map(([reason, episodes]) => ({ reason, episodes })),
  };
}

/** Of the episodes that stay, in their order. */
function only<Value>(values: ReadonlyMap<string, Value>, ids: readonly string[]): Record<string, Value> {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const value = values.get(id);
      return value === undefined ? [] : [[id, value]];
    }),
  );
}

/** SHA-256 over what is known of the episodes, which come in the order of ids. */
function inputHash(episodes: readonly CurationEpisode[]): string {
  return sha256(episodes.map((episode) => sha256(canonicalJson(factsOf(episode)))).join('\n'));
}

function factsOf({
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
    motion: digestOf(motion),
    picture: digestOf(picture),
    sample:
      sample === undefined
        ? null
        : { layout: sample.layout, states: digestOf(sample.states), actions: digestOf(sample.actions) },
  };
}

function digestOf(values: Float32Array | undefined): string | null {
  return values === undefined
    ? null
    : sha256(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

import { AssayError, limits, significant } from '#core';
import type { ComparedSide, EpisodeComparison } from '#core/api';
import { runNotFound } from '#engine';
import { type ComparedRow, comparedRows, projectRows, type Store, sliceRows, type TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { readReceipt } from '../episodes/load-episode.ts';
import { noProject } from '../projects/views.ts';
import { loadRun } from '../runs/manage-runs.ts';
import { noSlice } from './views.ts';

/** Two sets of judged episodes of a project to compare. */
export interface Comparison {
  readonly project_id: string;
  readonly one: ComparedSet;
  readonly other: ComparedSet;
}

/** Changed episodes in one answer. */
const maxListedChanges = 500;

/**
 * Returns the composition of two runs or slices, and the episodes of both whose decision or flags differ. Throws `not_found`,
 * `limit_exceeded`.
 */
export async function compareEpisodes(
  store: Store,
  call: Call,
  { project_id, one, other }: Comparison,
): Promise<EpisodeComparison> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, project_id)) === null) throw noProject();
  const left = await loadJudgedEpisodes(store, scope, project_id, one);
  const right = await loadJudgedEpisodes(store, scope, project_id, other);
  const edges = computeDurationEdges([left, right]);
  return {
    project_id,
    one: summariseSide(one, left, edges),
    other: summariseSide(other, right, edges),
    ...computeChanges(left, right),
  };
}

function computeChanges(left: readonly JudgedEpisode[], right: readonly JudgedEpisode[]) {
  const rightById = new Map(right.map((episode) => [episode.id, episode]));
  const both = left.flatMap((one) => {
    const other = rightById.get(one.id);
    return other === undefined ? [] : [{ one, other }];
  });
  const decided = both.filter(({ one, other }) => one.decision !== other.decision);
  const flagged = both.filter(({ one, other }) => flagKey(one) !== flagKey(other));
  const changed = new Set([...sortByName(decided), ...sortByName(flagged)]);
  return {
    both: both.length,
    only_one: left.length - both.length,
    only_other: right.length - both.length,
    decided_otherwise: decided.length,
    flagged_otherwise: flagged.length,
    changes: [...changed].slice(0, maxListedChanges).map(({ one, other }) => ({
      ...{ episode_id: one.id, name: one.name },
      ...{ one: toJudgement(one), other: toJudgement(other) },
    })),
  };
}

interface Pair {
  readonly one: JudgedEpisode;
  readonly other: JudgedEpisode;
}

const sortByName = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.toSorted(({ one: a }, { one: b }) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1,
  );

const flagKey = ({ flags }: JudgedEpisode): string => [...new Set(flags)].sort().join(' ');

const toJudgement = ({ decision, score, flags }: JudgedEpisode) => ({ decision, score, flags: [...flags] });

const maxListedValues = 50;
const binCount = 10;

/**
 * Returns the edges in seconds of ten bins of equal width over the durations of both sides; two equal edges if all
 * durations are the same, none without episodes.
 */
function computeDurationEdges(sides: readonly (readonly JudgedEpisode[])[]): readonly number[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { duration_s } of sides.flat()) {
    least = Math.min(least, duration_s);
    most = Math.max(most, duration_s);
  }
  if (least > most) return [];
  if (least === most) return [least, most];
  return Array.from({ length: binCount + 1 }, (_, at) =>
    significant(least + (at * (most - least)) / binCount),
  );
}

/** Returns the summary of one side: decisions, median score, flags, tasks, robots, outcomes and durations. */
function summariseSide(
  chosen: ComparedSet,
  episodes: readonly JudgedEpisode[],
  edges: readonly number[],
): ComparedSide {
  const decisions = { accept: 0, review: 0, reject: 0 };
  for (const { decision } of episodes) decisions[decision]++;
  const scores = episodes.flatMap(({ score }) => score ?? []).sort((a, b) => a - b);
  return {
    run_id: 'run_id' in chosen ? chosen.run_id : null,
    slice_id: 'slice_id' in chosen ? chosen.slice_id : null,
    episodes: episodes.length,
    duration_s: significant(
      episodes.reduce((sum, { duration_s }) => sum + duration_s, 0),
      9,
    ),
    decisions,
    median_score: scores.length === 0 ? null : scores[(scores.length - 1) >> 1],
    flags: countValues(episodes.flatMap(({ flags }) => [...new Set(flags)])),
    tasks: countValues(episodes.map(({ task }) => task)),
    robots: countValues(episodes.map(({ robot }) => robot)),
    outcomes: countValues(episodes.map(({ outcome }) => outcome)),
    durations: countBins(episodes, edges),
  };
}

function countValues<Value extends string | null>(values: readonly Value[]) {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, episodes]) => ({ value, episodes }))
    .sort((a, b) => b.episodes - a.episodes || ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
    .slice(0, maxListedValues);
}

function countBins(episodes: readonly JudgedEpisode[], edges: readonly number[]): ComparedSide['durations'] {
  const found = edges.slice(1).map((to_s, at) => ({ from_s: edges[at], to_s, episodes: 0 }));
  for (const { duration_s } of episodes) {
    const bin = found.find(({ to_s }) => duration_s < to_s) ?? found.at(-1);
    if (bin !== undefined) bin.episodes++;
  }
  return found;
}

/** A compared set: the episodes that a run judged, or those of a slice. */
type ComparedSet = { readonly run_id: string } | { readonly slice_id: string };

/** An episode with its judgement on one side of the comparison. */
type JudgedEpisode = Pick<
  ComparedRow,
  'id' | 'name' | 'decision' | 'score' | 'duration_s' | 'task' | 'robot' | 'outcome' | 'flags'
>;

const maxEpisodes = limits.requests.compared_episodes.value;
const maxReceipts = limits.requests.compared_receipts.value;
/** Receipts that are read concurrently. */
const receiptBatch = 16;

/**
 * Loads the episodes of one side with the judgement of that time. Earlier judgements are read from their receipts.
 * Throws `not_found`, `limit_exceeded`.
 */
async function loadJudgedEpisodes(
  store: Store,
  scope: TenantScope,
  project_id: string,
  chosen: ComparedSet,
): Promise<readonly JudgedEpisode[]> {
  const rows = await readRows(scope, project_id, chosen);
  if (rows.length > maxEpisodes) throw tooMany('episodes', maxEpisodes);
  const earlier = rows.filter(({ current }) => !current);
  if (earlier.length > maxReceipts) throw tooMany('receipts of earlier runs', maxReceipts);
  const sealedById = new Map<string, JudgedEpisode>();
  for (let at = 0; at < earlier.length; at += receiptBatch) {
    const read = earlier.slice(at, at + receiptBatch).map((row) => readSealedJudgement(store, row));
    for (const episode of await Promise.all(read)) sealedById.set(episode.id, episode);
  }
  return rows.map((row) => sealedById.get(row.id) ?? row);
}

async function readRows(scope: TenantScope, project_id: string, chosen: ComparedSet): Promise<ComparedRow[]> {
  const limit = maxEpisodes + 1;
  if ('slice_id' in chosen) {
    if ((await sliceRows.getSlice(scope, { project_id, ...chosen })) === null) throw noSlice();
    return comparedRows.listOfSlice(scope, { ...chosen, limit });
  }
  const { id: run_id, source_id, project_id: own } = await loadRun(scope, chosen.run_id);
  if (own !== project_id) throw runNotFound();
  return comparedRows.listJudgedByRun(scope, { run_id, source_id, limit });
}

async function readSealedJudgement(store: Store, row: ComparedRow): Promise<JudgedEpisode> {
  const { episode, decision, score, flags } = await readReceipt(store, row);
  return {
    ...{ id: row.id, name: row.name, decision, score },
    ...{ duration_s: episode.duration_s, robot: episode.robot },
    task: episode.tasks?.[0] ?? null,
    outcome: episode.outcome.value,
    flags: flags.map(({ code }) => code),
  };
}

const tooMany = (what: string, limit: number): AssayError =>
  new AssayError('limit_exceeded', `more than ${limit} ${what} to compare, the maximum for one request`, {
    advice: 'compare slices with fewer episodes',
    details: { limit },
  });

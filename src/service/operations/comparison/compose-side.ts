import { AssayError, limits, significant } from '#core';
import type { ComparedSide } from '#core/api';
import { noRun } from '#engine';
import { type ComparedRow, comparedRows, type Store, sliceRows, type TenantScope } from '#store';
import { readReceipt } from '../episodes/read-receipt.ts';
import { loadRun } from '../runs/load-run.ts';
import { noSlice } from '../slices/views.ts';

const mostListed = 50;
const bins = 10;

/** Edges of ten bins of equal width over the durations of both sides, in seconds; fewer where all are as long. */
export function durationEdges(sides: readonly (readonly JudgedEpisode[])[]): readonly number[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { duration_s } of sides.flat()) {
    least = Math.min(least, duration_s);
    most = Math.max(most, duration_s);
  }
  if (least > most) return [];
  if (least === most) return [least, most];
  return Array.from({ length: bins + 1 }, (_, at) => significant(least + (at * (most - least)) / bins));
}

/** What one side is made of. */
export function composeSide(
  chosen: Chosen,
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
    flags: partsOf(episodes.flatMap(({ flags }) => [...new Set(flags)])),
    tasks: partsOf(episodes.map(({ task }) => task)),
    robots: partsOf(episodes.map(({ robot }) => robot)),
    outcomes: partsOf(episodes.map(({ outcome }) => outcome)),
    durations: binsOf(episodes, edges),
  };
}

function partsOf<Value extends string | null>(values: readonly Value[]) {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, episodes]) => ({ value, episodes }))
    .sort((a, b) => b.episodes - a.episodes || ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
    .slice(0, mostListed);
}

function binsOf(episodes: readonly JudgedEpisode[], edges: readonly number[]): ComparedSide['durations'] {
  const found = edges.slice(1).map((to_s, at) => ({ from_s: edges[at], to_s, episodes: 0 }));
  for (const { duration_s } of episodes) {
    const bin = found.find(({ to_s }) => duration_s < to_s) ?? found.at(-1);
    if (bin !== undefined) bin.episodes++;
  }
  return found;
}

/** What is compared: the episodes that a run judged, or that a slice holds. */
export type Chosen = { readonly run_id: string } | { readonly slice_id: string };

/** An episode as one side of a comparison judged it. */
export type JudgedEpisode = Pick<
  ComparedRow,
  'id' | 'name' | 'decision' | 'score' | 'duration_s' | 'task' | 'robot' | 'outcome' | 'flags'
>;

const most = limits.requests.compared_episodes.value;
const mostReceipts = limits.requests.compared_receipts.value;
/** Receipts that are read at once. */
const together = 16;

/** The episodes of one side as they were judged then. Throws `not_found`, `limit_exceeded`. */
export async function judgedEpisodes(
  store: Store,
  scope: TenantScope,
  project_id: string,
  chosen: Chosen,
): Promise<readonly JudgedEpisode[]> {
  const rows = await rowsOf(scope, project_id, chosen);
  if (rows.length > most) throw tooMany('episodes', most);
  const earlier = rows.filter(({ current }) => !current);
  if (earlier.length > mostReceipts) throw tooMany('receipts of earlier runs', mostReceipts);
  const asOf = new Map<string, JudgedEpisode>();
  for (let at = 0; at < earlier.length; at += together) {
    const read = earlier.slice(at, at + together).map((row) => asSealed(store, row));
    for (const episode of await Promise.all(read)) asOf.set(episode.id, episode);
  }
  return rows.map((row) => asOf.get(row.id) ?? row);
}

async function rowsOf(scope: TenantScope, project_id: string, chosen: Chosen): Promise<ComparedRow[]> {
  const limit = most + 1;
  if ('slice_id' in chosen) {
    if ((await sliceRows.getSlice(scope, { project_id, ...chosen })) === null) throw noSlice();
    return comparedRows.heldBySlice(scope, { ...chosen, limit });
  }
  const { id: run_id, source_id, project_id: own } = await loadRun(scope, chosen.run_id);
  if (own !== project_id) throw noRun();
  return comparedRows.judgedByRun(scope, { run_id, source_id, limit });
}

async function asSealed(store: Store, row: ComparedRow): Promise<JudgedEpisode> {
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
  new AssayError('limit_exceeded', `more than ${limit} ${what} would be compared while a request waits`, {
    advice: 'compare slices of fewer episodes',
    details: { limit },
  });

import { AssayError, limits } from '#core';
import { noRun } from '#engine';
import { type ComparedRow, comparedRows, type Store, sliceRows, type TenantScope } from '#store';
import { readReceipt } from '../episodes/read-receipt.ts';
import { loadRun } from '../runs/load-run.ts';
import { noSlice } from '../slices/views.ts';

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

import { AssayError } from '#core';
import type { Episode } from '#core/api';
import { createViews } from '#quality/readiness';
import { episodeRows, type Store } from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { loadEpisode, readReceipt, readReceiptBytes } from './load-episode.ts';
import { linksOf, noEpisode, reviewOf, summaryOf } from './views.ts';

/** Returns an episode with the content of its receipt and its newest review. Throws `not_found`. */
export async function getEpisode(
  store: Store,
  call: Call,
  { episode_id }: { readonly episode_id: string },
): Promise<Episode> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { episode, receipt: receiptRow, pinned_kind } = await loadEpisode(scope, episode_id);
  const [newest] = await episodeRows.listReviews(scope, { episode_id, before: null, limit: 1 });
  const receipt = await readReceipt(store, receiptRow);
  const { kind, derived_kind } = episode;
  return {
    ...summaryOf(episode, episode.project_id, pinned_kind),
    kind_facts: {
      from: pinned_kind === null ? 'streams' : 'pinned',
      by_streams: derived_kind ?? kind,
      judged_as: kind,
      evidence: receipt.kind.evidence,
    },
    decision_reason: receipt.decision_reason,
    flag_details: receipt.flags,
    tasks: receipt.episode.tasks,
    outcome_facts: receipt.episode.outcome,
    findings: receipt.findings,
    limits: receipt.limits,
    locator: receipt.episode.locator,
    sources: receipt.sources,
    grippers: receipt.grippers,
    streams: receipt.streams,
    views: copyViews(receipt),
    receipt: {
      id: receiptRow.id,
      content_hash: receiptRow.content_hash,
      settings_hash: receiptRow.settings_hash,
      engine_version: receipt.engine.version,
      sealed_at: receiptRow.created_at.toISOString(),
    },
    review: newest === undefined ? null : reviewOf(newest, episode.receipt_id),
    links: linksOf(episode),
  };
}

/** Copies the views, because the lists of the API types are mutable. */
function copyViews(receipt: Parameters<typeof createViews>[0]): Episode['views'] {
  const { integrity, semantic, utility } = createViews(receipt);
  return {
    integrity: { score: integrity.score, checks: [...integrity.checks] },
    semantic: { score: semantic.score, checks: [...semantic.checks] },
    utility: { signals: [...utility.signals] },
  };
}

/** New tags of an episode. */
interface EpisodeUpdate {
  readonly episode_id: string;
  readonly tags: readonly string[];
}

/**
 * Replaces the tags of an episode, sorted and without duplicates, audits a change and returns the episode. Equal tags change
 * nothing. Throws `not_found`.
 */
export async function updateEpisode(
  store: Store,
  call: Call,
  { episode_id, tags: newTags }: EpisodeUpdate,
): Promise<Episode> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  const tags = [...new Set(newTags)].sort();
  await store.database.transaction(async () => {
    const episode = await episodeRows.lockEpisode(scope, episode_id);
    if (episode === null) throw noEpisode();
    if (JSON.stringify(episode.tags) === JSON.stringify(tags)) return;
    await episodeRows.setTags(scope, { episode_id, tags, now: call.now });
    await appendAudit(store, call, {
      action: 'update_episode',
      object_type: 'episode',
      object_id: episode_id,
      before: { tags: episode.tags },
      after: { tags },
      detail: { project_id: episode.project_id, from: episode.tags, to: tags },
    });
  });
  return getEpisode(store, call, { episode_id });
}

/** A sealed receipt: its bytes, and its content hash, which is taken over everything but the hash itself. */
export interface SealedReceipt {
  readonly json: Uint8Array;
  readonly content_hash: string;
}

/**
 * Returns the current receipt of an episode, or that of the run `run_id`, byte for byte as it was sealed. Throws
 * `not_found`.
 */
export async function getReceipt(
  store: Store,
  call: Call,
  { episode_id, run_id }: { readonly episode_id: string; readonly run_id?: string | undefined },
): Promise<SealedReceipt> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { receipt: current } = await loadEpisode(scope, episode_id);
  const receiptRow =
    run_id === undefined || run_id === current.run_id
      ? current
      : await episodeRows.getReceiptOfRun(scope, episode_id, run_id);
  if (receiptRow === null)
    throw new AssayError('not_found', 'this run has no receipt for the episode', {
      advice: `omit run_id to get the current receipt, from ${current.run_id}`,
    });
  return { json: await readReceiptBytes(store, receiptRow), content_hash: receiptRow.content_hash };
}

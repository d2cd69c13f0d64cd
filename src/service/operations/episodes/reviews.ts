import { AssayError, idPattern, newId } from '#core';
import type { Decision, Review } from '#core/api';
import { episodeRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { loadEpisode } from './load-episode.ts';
import { noEpisode, reviewOf } from './views.ts';

/** A review to store. */
export interface NewReview {
  readonly episode_id: string;
  readonly decision: Decision;
  readonly note: string;
  /** Receipt that the reviewer has seen; undefined skips the check that it is current. */
  readonly receipt_id?: string | undefined;
}

/**
 * Stores and audits a person's decision on an episode, and returns the review; it is in effect until the next. Throws
 * `not_found`, `conflict` if the given receipt is no longer the episode's.
 */
export async function createReview(store: Store, call: Call, review: NewReview): Promise<Review> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  const { episode_id, decision, note } = review;
  return store.database.transaction(async () => {
    const episode = await episodeRows.lockEpisode(scope, episode_id);
    if (episode === null) throw noEpisode();
    const { receipt_id } = episode;
    if (review.receipt_id !== undefined && review.receipt_id !== receipt_id)
      throw receiptOutdated(receipt_id);
    const row = {
      id: newId('rev'),
      episode_id,
      decision,
      note,
      receipt_id,
      created_at: call.now,
      created_by: actorId(call),
      ...{ withdrawn_at: null, withdrawn_by: null },
    };
    await episodeRows.addReview(scope, row);
    await appendAudit(store, call, {
      action: 'create_review',
      object_type: 'episode',
      object_id: episode_id,
      before: { review_decision: episode.review_decision },
      after: { review_decision: decision },
      detail: { review_id: row.id, receipt_id, from: episode.review_decision, to: decision },
    });
    return reviewOf(row, receipt_id);
  });
}

const receiptOutdated = (receipt_id: string): AssayError =>
  new AssayError('conflict', 'the episode has a newer receipt', {
    advice: 'check the current receipt, then send the review with its id',
    details: { receipt_id },
  });

/**
 * Withdraws a review and returns it, so that the newest one before it is in effect again, or the automatic decision if there
 * is none. Returns it unchanged if it was withdrawn before. Throws `not_found`.
 */
export async function withdrawReview(
  store: Store,
  call: Call,
  { episode_id, review_id }: { readonly episode_id: string; readonly review_id: string },
): Promise<Review> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const episode = await episodeRows.lockEpisode(scope, episode_id);
    if (episode === null) throw noEpisode();
    const review = await episodeRows.getReview(scope, { episode_id, review_id });
    if (review === null) throw new AssayError('not_found', 'the episode has no such review');
    if (review.withdrawn_at !== null) return reviewOf(review, episode.receipt_id);
    const withdrawal = { withdrawn_at: call.now, withdrawn_by: actorId(call) };
    const decision = await episodeRows.withdrawReview(scope, { episode_id, review_id, ...withdrawal });
    await appendAudit(store, call, {
      action: 'withdraw_review',
      object_type: 'episode',
      object_id: episode_id,
      before: { review_decision: episode.review_decision },
      after: { review_decision: decision },
      detail: { review_id },
    });
    return reviewOf({ ...review, ...withdrawal }, episode.receipt_id);
  });
}

/** Lists the reviews of an episode, newest first; the first that was not withdrawn is in effect. Throws `not_found`. */
export async function listReviews(
  store: Store,
  call: Call,
  query: { readonly episode_id: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<Review>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const before = readCursor(query.cursor, idPattern('rev'));
  const { episode } = await loadEpisode(scope, query.episode_id);
  const rows = await episodeRows.listReviews(scope, { ...query, before, limit: query.limit + 1 });
  return pageOfRows(
    rows,
    query.limit,
    ({ id }) => id,
    (row) => reviewOf(row, episode.receipt_id),
  );
}

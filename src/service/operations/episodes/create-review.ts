import { AssayError, newId } from '#core';
import type { Decision, Review } from '#core/api';
import { episodeRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noEpisode, reviewOf } from './views.ts';

export interface NewReview {
  readonly episode_id: string;
  readonly decision: Decision;
  readonly note: string;
  /** What the reviewer looked at. */
  readonly receipt_id?: string | undefined;
}

/**
 * A person's decision on an episode, which counts until the next one. Throws `not_found`, and `conflict` where the
 * receipt that was looked at is no longer the episode's.
 */
export async function createReview(store: Store, call: Call, review: NewReview): Promise<Review> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  const { episode_id, decision, note } = review;
  return store.database.transaction(async () => {
    const episode = await episodeRows.lockEpisode(scope, episode_id);
    if (episode === null) throw noEpisode();
    const { receipt_id } = episode;
    if (review.receipt_id !== undefined && review.receipt_id !== receipt_id) throw judgedAgain(receipt_id);
    const row = {
      id: newId('rev'),
      episode_id,
      decision,
      note,
      receipt_id,
      created_at: call.now,
      created_by: actorId(call),
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

const judgedAgain = (receipt_id: string): AssayError =>
  new AssayError('conflict', 'the episode was judged again since that receipt', {
    advice: 'look at the receipt of now, then send the review with its id',
    details: { receipt_id },
  });

import { AssayError } from '#core';
import { episodeRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { loadEpisode } from './load-episode.ts';
import { receiptBytes } from './read-receipt.ts';

/** A sealed receipt: its bytes and what they hash to without the hash. */
export interface SealedReceipt {
  readonly json: Uint8Array;
  readonly content_hash: string;
}

/** The receipt that counts, or that of an earlier run, byte for byte as it was sealed. Throws `not_found`. */
export async function getReceipt(
  store: Store,
  call: Call,
  { episode_id, run_id }: { readonly episode_id: string; readonly run_id?: string | undefined },
): Promise<SealedReceipt> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { receipt: current } = await loadEpisode(scope, episode_id);
  const wanted =
    run_id === undefined || run_id === current.run_id
      ? current
      : await episodeRows.getReceiptOfRun(scope, episode_id, run_id);
  if (wanted === null)
    throw new AssayError('not_found', 'this run sealed no receipt for the episode', {
      advice: `leave run_id out for the receipt that counts, of ${current.run_id}`,
    });
  return { json: await receiptBytes(store, wanted), content_hash: wanted.content_hash };
}

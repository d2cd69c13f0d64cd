import type { Receipt } from '#contract';
import { AssayError } from '#kernel';
import type { ChosenEpisode } from './choose-episodes.ts';

/** What an export needs of an episode's receipt. */
export interface SealedReceipt {
  readonly content_hash: string;
  readonly sources: ReadonlyMap<string, string | null>;
}

/** By episode id; receipts are read one at a time. */
export function sealedReceipts(receipts: Iterable<string>): Map<string, SealedReceipt> {
  const all = new Map<string, SealedReceipt>();
  for (const text of receipts) {
    const { content_hash, episode, sources } = JSON.parse(text) as Receipt;
    all.set(episode.id, {
      content_hash,
      sources: new Map(sources.map(({ path, sha256 }) => [path, sha256])),
    });
  }
  return all;
}

/** Throws `not_ready` where a file that was exported is not the one that was judged. */
export function sourcesUnchanged(
  read: readonly (readonly [path: string, sha256: string | null])[],
  receipts: ReadonlyMap<string, SealedReceipt>,
  episodes: readonly ChosenEpisode[],
): void {
  const now = new Map(read);
  for (const { verdict, dropped } of episodes) {
    if (dropped !== null) continue;
    for (const [path, sha256] of receipts.get(verdict.id)?.sources ?? []) {
      if (now.get(path) === sha256) continue;
      throw new AssayError('not_ready', `${path} has changed since ${verdict.id} was judged`, {
        path,
        advice: 'nothing was written; export again when nobody changes the recordings',
      });
    }
  }
}

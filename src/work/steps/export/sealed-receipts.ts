import type { Receipt } from '#contract';
import { AssayError } from '#kernel';

/** What an export needs of an episode's receipt. */
export interface SealedReceipt {
  readonly content_hash: string;
  readonly sources: ReadonlyMap<string, string | null>;
}

/** By episode id; receipts are read one at a time. */
export function sealedReceipts(receipts: Iterable<string>): Map<string, SealedReceipt> {
  const all = new Map<string, SealedReceipt>();
  for (const text of receipts) {
    const receipt = JSON.parse(text) as Receipt;
    all.set(receipt.episode.id, sealedReceipt(receipt));
  }
  return all;
}

export const sealedReceipt = ({ content_hash, sources }: Receipt): SealedReceipt => ({
  content_hash,
  sources: new Map(sources.map(({ path, sha256 }) => [path, sha256])),
});

/** Throws `not_ready` where a file that the kept episodes were read from is not the one that was judged. */
export function sourcesUnchanged(
  read: readonly (readonly [path: string, sha256: string | null])[],
  receipts: ReadonlyMap<string, SealedReceipt>,
  kept: readonly string[],
): void {
  const now = new Map(read);
  for (const id of kept) {
    for (const [path, sha256] of receipts.get(id)?.sources ?? []) {
      if (now.get(path) === sha256) continue;
      throw new AssayError('not_ready', `${path} has changed since ${id} was judged`, {
        path,
        advice: 'nothing was written; judge the recordings again, and export when nobody changes them',
      });
    }
  }
}

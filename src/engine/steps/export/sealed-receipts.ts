import { AssayError } from '#core';
import type { ExportFormatId, Receipt } from '#core/api';
import type { ExportSource } from './export-request.ts';
import { holdsJudgements, type JudgedFacts, toJudgedFacts } from './judged-facts.ts';

/** Parts of a receipt that an export needs. */
export interface SealedReceipt {
  readonly content_hash: string;
  readonly sources: ReadonlyMap<string, string | null>;
  /** Evaluation results; absent if the format does not store them. */
  readonly facts?: JudgedFacts;
}

/**
 * Returns what an export needs of receipts by episode id, parsing one at a time; evaluation results only for episodes in
 * `keep` and formats that store them.
 */
export function readSealedReceipts(
  receipts: Iterable<string>,
  keep: ReadonlySet<string>,
  format: ExportFormatId,
): Map<string, SealedReceipt> {
  const all = new Map<string, SealedReceipt>();
  for (const text of receipts) {
    const receipt = JSON.parse(text) as Receipt;
    const { id } = receipt.episode;
    all.set(id, toSealedReceipt(receipt, keep.has(id) && holdsJudgements(format)));
  }
  return all;
}

/** Returns the parts of a receipt that an export needs, with the evaluation results if `withFacts`. */
export const toSealedReceipt = (receipt: Receipt, withFacts: boolean): SealedReceipt => ({
  content_hash: receipt.content_hash,
  sources: new Map(receipt.sources.map(({ path, sha256 }) => [path, sha256])),
  ...(withFacts ? { facts: toJudgedFacts(receipt) } : {}),
});

/** Returns the evaluation results by episode id for an `ExportSource`; an empty object if no receipt has any. */
export function collectJudged(receipts: ReadonlyMap<string, SealedReceipt>): Pick<ExportSource, 'judged'> {
  const judged = [...receipts].flatMap(([id, { facts }]) =>
    facts === undefined ? [] : [[id, facts] as const],
  );
  return judged.length === 0 ? {} : { judged: Object.fromEntries(judged) };
}

/**
 * Throws `not_ready` if a source file of the episodes, as `read` now, differs from the one in their receipts. A file
 * without a hash must have had none.
 */
export function requireSourcesUnchanged(
  read: readonly (readonly [path: string, sha256: string | null])[],
  receipts: ReadonlyMap<string, SealedReceipt>,
  episodeIds: readonly string[],
): void {
  const now = new Map(read);
  for (const id of episodeIds) {
    for (const [path, sha256] of receipts.get(id)?.sources ?? []) {
      if (now.get(path) === sha256) continue;
      throw new AssayError('not_ready', `${path} has changed since ${id} was assessed`, {
        path,
        advice: 'nothing was written; assess again, then export while the recordings do not change',
      });
    }
  }
}

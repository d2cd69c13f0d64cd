import { AssayError } from '#core';
import type { ExportFormatId, Receipt } from '#core/api';
import type { ExportSource } from './export-task.ts';
import { holdsJudgements, type JudgedFacts, judgedFacts } from './judged-facts.ts';

/** What an export needs of an episode's receipt. */
export interface SealedReceipt {
  readonly content_hash: string;
  readonly sources: ReadonlyMap<string, string | null>;
  /** Absent: the format does not hold them. */
  readonly facts?: JudgedFacts;
}

/** By episode id; receipts are read one at a time. */
export function sealedReceipts(
  receipts: Iterable<string>,
  keep: ReadonlySet<string>,
  format: ExportFormatId,
): Map<string, SealedReceipt> {
  const all = new Map<string, SealedReceipt>();
  for (const text of receipts) {
    const receipt = JSON.parse(text) as Receipt;
    const { id } = receipt.episode;
    all.set(id, sealedReceipt(receipt, keep.has(id) && holdsJudgements(format)));
  }
  return all;
}

export const sealedReceipt = (receipt: Receipt, withFacts: boolean): SealedReceipt => ({
  content_hash: receipt.content_hash,
  sources: new Map(receipt.sources.map(({ path, sha256 }) => [path, sha256])),
  ...(withFacts ? { facts: judgedFacts(receipt) } : {}),
});

/** What a source needs of them. */
export function judgedOf(receipts: ReadonlyMap<string, SealedReceipt>): Pick<ExportSource, 'judged'> {
  const judged = [...receipts].flatMap(([id, { facts }]) =>
    facts === undefined ? [] : [[id, facts] as const],
  );
  return judged.length === 0 ? {} : { judged: Object.fromEntries(judged) };
}

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

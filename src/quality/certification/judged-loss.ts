import { z } from 'zod';
import type { Receipt } from '#core/api';
import { type Aspect, type CheckId, checks } from '#quality/readiness';
import { readCheck } from './read-check.ts';

const anyValues = z.record(z.string(), z.json());
const anyNotes = z.record(z.string(), anyValues);

/** What a check grades of an episode, by its own formula, whatever thresholds the settings had; or why it graded nothing. */
export function aspectsOf(
  receipt: Receipt,
  id: CheckId,
): { readonly aspects: readonly Aspect[] } | { readonly reason: string } {
  const read = readCheck(receipt, id, anyValues);
  if (read.status === 'absent') return { reason: read.reason };
  const notes = anyNotes.safeParse(read.notes);
  return { aspects: checks.get(id)?.judge(read.values, notes.success ? notes.data : {}) ?? [] };
}

/** The aspect that loses most among these flags; null where none of them was graded. */
export function worstOf(aspects: readonly Aspect[], flags: ReadonlySet<string>): Aspect | null {
  let worst: Aspect | null = null;
  for (const aspect of aspects)
    if (flags.has(aspect.flag) && (worst === null || aspect.score < worst.score)) worst = aspect;
  return worst;
}

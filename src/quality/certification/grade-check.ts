import { z } from 'zod';
import type { Receipt } from '#core/api';
import { type Aspect, type CheckId, checks } from '#quality/readiness';
import { readCheck } from './read-check.ts';

const anyValues = z.record(z.string(), z.json());
const anyNotes = z.record(z.string(), anyValues);

/**
 * Grades an episode with a check's default formula, independent of the settings; returns a reason if it was not
 * measured.
 */
export function gradeCheck(
  receipt: Receipt,
  id: CheckId,
): { readonly aspects: readonly Aspect[] } | { readonly reason: string } {
  const read = readCheck(receipt, id, anyValues);
  if (read.status === 'absent') return { reason: read.reason };
  const notes = anyNotes.safeParse(read.notes);
  return { aspects: checks.get(id)?.judge(read.values, notes.success ? notes.data : {}) ?? [] };
}

/** Returns the aspect with the lowest score among these flags; null if none of them was graded. */
export function findWorstAspect(aspects: readonly Aspect[], flags: ReadonlySet<string>): Aspect | null {
  let worst: Aspect | null = null;
  for (const aspect of aspects)
    if (flags.has(aspect.flag) && (worst === null || aspect.score < worst.score)) worst = aspect;
  return worst;
}

import type { Outcome } from '#core/episode';

const succeeded = /^(success|succeeded|successful|true|1|1\.0|pass|passed|yes|done)$/i;
const failed = /^(failure|failed|fail|unsuccessful|false|0|0\.0|no|aborted)$/i;

/** An outcome label as recordings write it; words that are neither success nor failure stay unknown. */
export function outcomeOf(label: string, source: string): Outcome {
  const word = label.trim();
  const reason = `${source} says ${JSON.stringify(word.slice(0, 80))}`;
  if (succeeded.test(word)) return { value: 'success', evidence: 'declared', reason };
  if (failed.test(word)) return { value: 'failure', evidence: 'declared', reason };
  return { value: 'unknown', evidence: 'unknown', reason };
}

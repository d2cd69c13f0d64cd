import type { JsonObject } from '#core';

/**
 * How much a finding weighs. `blocking`: a canonical reader refuses these bytes or serves wrong rows; an episode with it
 * is rejected. `error`: training on it does harm; an episode with it is not accepted unseen. `warning`: training is worse
 * for it. `info`: worth knowing.
 */
export const severities = ['info', 'warning', 'error', 'blocking'] as const;
export type Severity = (typeof severities)[number];

/** Something seen that belongs to a file or a dataset rather than to one check. Data, never an exception. */
export interface Finding {
  /** snake_case, stable: `video_missing`, `metadata_count_mismatch`, `file_truncated`. */
  readonly code: string;
  readonly severity: Severity;
  /** File or folder concerned, relative to what was assessed; null when it is the dataset as a whole. */
  readonly path: string | null;
  /** What is wrong, in a sentence with the numbers. */
  readonly message: string;
  /** What to do about it. */
  readonly advice: string;
  readonly evidence?: JsonObject;
}

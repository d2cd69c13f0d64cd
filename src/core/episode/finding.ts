import type { JsonObject } from '#core';

/**
 * Severities of findings and flags, in ascending order. `blocking`: a canonical reader refuses these bytes or returns
 * wrong rows; the episode is rejected. `error`: it is harmful for training; the episode needs review. `warning`: it
 * makes training worse. `info`: for information.
 */
export const severities = ['info', 'warning', 'error', 'blocking'] as const;
export type Severity = (typeof severities)[number];

/** A defect of a file or dataset, as opposed to a flag of one check. Data, never an exception. */
export interface Finding {
  /** snake_case, stable: `video_missing`, `metadata_count_mismatch`, `file_truncated`. */
  readonly code: string;
  readonly severity: Severity;
  /** File or folder concerned, relative to the assessed path; `null` if it is the dataset as a whole. */
  readonly path: string | null;
  /** Sentence that says what is wrong, with the numbers. */
  readonly message: string;
  /** Sentence that says what to do about it. */
  readonly advice: string;
  readonly evidence?: JsonObject;
}

/** Code of the findings about unread files that look like parts of the recordings. */
export const companionCode = 'companion_files_unread';

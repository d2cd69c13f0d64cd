import type { Finding, Kind, PictureScope } from '#core/episode';
import type { Recipe } from '#formats/recipes';
import type { Progress } from './progress.ts';

/** Options of an assessment. */
export interface AssessOptions {
  /** Differences from the default readiness settings; see `readinessSettingsSchema`. */
  readonly settings?: unknown;
  /**
   * Recipe that cuts recordings into episodes, for formats without boundaries. Default: episodes as the readers
   * return them.
   */
  readonly recipe?: Recipe;
  /** Rate in Hz for formats without timestamps. */
  readonly rate_hz?: number;
  /**
   * Ids of the loaders that datasets are judged by; where none of them reads the format, the default one. Overrides those
   * of `settings`.
   */
  readonly loaders?: readonly string[];
  /** Overrides the kind derived from the recording. */
  readonly kind?: Kind;
  /** Number of worker threads. Default: by cores and size. The result does not depend on it. */
  readonly workers?: number;
  /** Maximum number of episodes per dataset, from its first. */
  readonly limit?: number;
  /** Which pictures are examined. Default: `sampled`. */
  readonly pictures?: PictureScope;
  /** Keeps the sealed receipts, readable from the result in order. */
  readonly receipts?: boolean;
  /** Describes every episode for search. */
  readonly embed?: boolean;
  /** Keeps the report's drawing data of every episode. */
  readonly render?: boolean;
  /** Thumbnails per camera in the report; 0 for none. Default: 6, fewer for large sets. */
  readonly thumbnails?: number;
  /** Writes films of the cameras next to the report. */
  readonly video?: boolean;
  /** Folder for receipt files; created if missing. */
  readonly receiptsFolder?: string;
  /** Path of the receipts relative to the report. */
  readonly receiptsFrom?: string;
  /** Folder of the measurement cache; absent: no cache. */
  readonly cacheFolder?: string;
  /** Number of worst episodes per dataset whose messages are kept. */
  readonly details?: number;
}

/** A dataset that will be assessed. */
export interface FoundDataset {
  /** Path below the assessed path; '.' for itself. */
  readonly path: string;
  readonly format: string;
  /** Findings of its metadata. */
  readonly findings: readonly Finding[];
}

/** Callbacks of an assessment. */
export interface AssessHooks {
  /** Called when the datasets are known, before anything is measured or written. An exception ends the assessment. */
  readonly onFound?: (datasets: readonly FoundDataset[]) => void;
  /** Aborts the work with `cancelled`; child processes and temporary files are removed. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called once per distinct warning that does not concern the recordings. */
  readonly onWarning?: (text: string) => void;
}

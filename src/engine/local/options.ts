import type { Kind, PictureScope } from '#core/episode';
import type { Recipe } from '#formats/recipes';
import type { Progress } from './progress.ts';

export interface AssessOptions {
  /** Differences from the default readiness settings; see `readinessSettingsSchema`. */
  readonly settings?: unknown;
  /** How recordings become episodes where their format has no boundaries; absent: as their readers give them. */
  readonly recipe?: Recipe;
  /** Rate in Hz of recordings whose format keeps no times. */
  readonly rate_hz?: number;
  /** Wins over the kind derived from the recording. */
  readonly kind?: Kind;
  /** Threads that work beside the calling one. Absent: by cores and work. The result does not depend on it. */
  readonly workers?: number;
  /** At most so many episodes of each dataset, from its first. */
  readonly limit?: number;
  /** How many of the pictures are looked at; `sampled` when absent. */
  readonly pictures?: PictureScope;
  /** Keep the sealed receipts, to be read from the result in order. */
  readonly receipts?: boolean;
  /** Describe every episode for search. */
  readonly embed?: boolean;
  /** Keep what the report draws of every episode. */
  readonly render?: boolean;
  /** Thumbnails per camera for the report; 0 for none. Absent: 6, fewer for sets of many episodes. */
  readonly thumbnails?: number;
  /** Films of cameras beside the report. */
  readonly video?: boolean;
  /** Folder for the receipts, one a file; made if it is not there. */
  readonly receiptsFolder?: string;
  /** Where the receipts lie as seen from the report. */
  readonly receiptsFrom?: string;
  /** Folder that measurements are kept in, for the next assessment; absent: none are kept. */
  readonly cacheFolder?: string;
  /** How many episodes of each dataset, those that need looking at most, keep what was said of them in words. */
  readonly details?: number;
}

export interface FoundDataset {
  /** Below the path that was named; '.' for itself. */
  readonly path: string;
  readonly format: string;
}

export interface AssessHooks {
  /** Called when it is known what there is to assess, before anything is measured or written; may throw to end it. */
  readonly onFound?: (datasets: readonly FoundDataset[]) => void;
  /** Aborting ends the work with `cancelled`, children and temporary files gone. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Hears, each line once, what is no fault of the recordings and worth seeing to. */
  readonly onWarning?: (text: string) => void;
}

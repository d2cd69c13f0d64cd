import type { ExportFormatId } from '#contract';
import type { EditRequest } from '#exports';
import type { JsonObject } from '#kernel';

/** Which episodes of one dataset leave, as what, and where to. Plain data: it crosses threads. */
export interface ExportSetTask {
  /** The dataset's place below the path; '' for the path itself. */
  readonly dataset: string;
  /** Ids of the episodes that stay, in the dataset's order. */
  readonly keep: readonly string[];
  readonly format: ExportFormatId;
  /** A new or empty folder, absolute. */
  readonly folder: string;
  /** What is changed on the way; absent: nothing. */
  readonly edits?: EditRequest;
  /** Rows a second that are asked for; absent: the recording's own. */
  readonly rate_hz?: number;
}

/** What was read and written. */
export interface ExportedSet {
  readonly format: ExportFormatId;
  /** Rows or samples of the set. */
  readonly rows: number;
  /**
   * Its episodes in order, each with the rows of the source's episode that it holds (null: all); absent: those that were
   * to be kept.
   */
  readonly episodes?: readonly WrittenEpisode[];
  /** What was left away or changed, and why. */
  readonly edits: readonly JsonObject[];
  /** Files of the source that kept episodes were read from, with their SHA-256 at that time. */
  readonly sources: readonly (readonly [path: string, sha256: string | null])[];
}

export interface WrittenEpisode {
  readonly id: string;
  readonly rows: readonly [from: number, until: number] | null;
}

export interface ExportHooks {
  readonly signal: AbortSignal;
  /** Hears how many more episodes are written, counting parts of each; 0: it has come further with reading. */
  readonly onProgress: (episodes: number) => void;
}

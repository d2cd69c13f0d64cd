/** A change made by a fix, for display. */
export interface Change {
  /** Id of the fix. */
  readonly fix: string;
  /** Codes of the findings and flags that the change resolves. */
  readonly answers: readonly string[];
  /** File that is written, relative to the dataset. */
  readonly path: string;
  /** Field, column or rows that change. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  readonly episode: number | null;
}

/** A problem that no fix resolves, with advice for the user. */
export interface Unfixed {
  readonly code: string;
  readonly path: string | null;
  readonly episode: number | null;
  readonly message: string;
  readonly advice: string;
}

/** A planned change to a file; paths are relative to the dataset, with `/`. */
export type PlannedFile =
  /** Writes the new content to the absolute path `target`, whose folder exists. */
  | { readonly does: 'write'; readonly path: string; readonly write: (target: string) => Promise<void> }
  /** Removes the file from the dataset; the journal keeps it. */
  | { readonly does: 'remove'; readonly path: string };

/** Planned fixes of a dataset; nothing is written yet. */
export interface FixPlan {
  readonly format: string;
  /** Absolute. */
  readonly root: string;
  readonly changes: readonly Change[];
  readonly unfixed: readonly Unfixed[];
  readonly files: readonly PlannedFile[];
  /** Releases resources kept for writing; call when the plan is no longer needed. */
  readonly close: () => Promise<void>;
}

/** Planned fixes of one file and the files that belong to it. */
export interface FileFix {
  readonly changes: readonly Change[];
  readonly unfixed: readonly Unfixed[];
  /** Empty if nothing can be recovered. */
  readonly files: readonly PlannedFile[];
}

/** Options of planning fixes. */
export interface FixOptions {
  /** Move timestamps onto the grid of the declared rate. */
  readonly stamps: boolean;
  /** Fix video files. */
  readonly video: boolean;
  /** Check all picture statistics against the pictures; by default only missing or impossible ones. */
  readonly pictures?: boolean;
  readonly signal?: AbortSignal;
  /** Called when the pictures of an episode were decoded: episode, total. */
  readonly onPictures?: (episode: number, of: number) => void;
}

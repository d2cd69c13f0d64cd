/** Something that a fix changes, as people read it. */
export interface Change {
  /** Id of the fix. */
  readonly fix: string;
  /** Codes of the findings and flags that it answers. */
  readonly answers: readonly string[];
  /** The file that is written, relative to the dataset. */
  readonly path: string;
  /** The field, column or rows. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  readonly episode: number | null;
}

/** Something wrong that no fix mends, and what a person can do about it. */
export interface Unfixed {
  readonly code: string;
  readonly path: string | null;
  readonly episode: number | null;
  readonly message: string;
  readonly advice: string;
}

/** A file of the dataset as it will be; paths are relative to the dataset, with `/`. */
export type PlannedFile =
  /** Writes the new content at the absolute path `target`, in a folder that exists. */
  | { readonly does: 'write'; readonly path: string; readonly write: (target: string) => Promise<void> }
  /** Takes it out of the dataset; the journal keeps it. */
  | { readonly does: 'remove'; readonly path: string };

/** What mending a dataset comes to; nothing is written yet. */
export interface FixPlan {
  readonly format: string;
  /** Absolute. */
  readonly root: string;
  readonly changes: readonly Change[];
  readonly unfixed: readonly Unfixed[];
  readonly files: readonly PlannedFile[];
  /** Lets go of what was kept for writing; to be called when the plan is done with. */
  readonly close: () => Promise<void>;
}

/** What there is to mend in a file of a folder, and in what belongs to it. */
export interface FileRepair {
  readonly changes: readonly Change[];
  readonly unfixed: readonly Unfixed[];
  /** Empty where nothing can be got back. */
  readonly files: readonly PlannedFile[];
}

export interface FixOptions {
  /** Put time stamps onto the grid of the declared rate. */
  readonly stamps: boolean;
  /** Mend video files. */
  readonly video: boolean;
  /** Hold all statistics of pictures against the pictures; without it only those that are missing or impossible. */
  readonly pictures?: boolean;
  readonly signal?: AbortSignal;
  /** Called when pictures of an episode were decoded. */
  readonly onPictures?: (episode: number, of: number) => void;
}

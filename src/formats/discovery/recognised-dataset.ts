import type { Recognition } from '../shared/reader.ts';

/**
 * Files that look like parts of a dataset's episodes although no reader reads them; plain JSON, since it is part of
 * the recognised dataset.
 */
export interface Companions {
  /** Up to 20 of the files, relative to the searched folder. */
  readonly files: readonly string[];
  readonly count: number;
  /** Observation by which they belong to the episodes: `have the names of 3 pictures`. */
  readonly reason: string;
  readonly advice: string;
  /** Files of the episodes concerned, relative to the dataset's folder; `null` if it is all of them. */
  readonly episodes: readonly string[] | null;
}

/** Location and recognition of a dataset; plain JSON, so that another thread can open it. */
export interface RecognisedDataset {
  /** Folder relative to the searched folder; '' for the searched folder itself. */
  readonly path: string;
  readonly recognition: Recognition;
  /** Unread files that look like parts of its episodes; absent if there are none. */
  readonly companions?: readonly Companions[];
}

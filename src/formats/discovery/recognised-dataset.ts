import type { Recognition } from '../shared/reader.ts';

/**
 * Files that look like parts of a dataset's episodes but are not read with them; plain JSON, since it is part of the
 * recognised dataset.
 */
export interface Companions {
  /** Up to 20 of the files, relative to the searched folder. */
  readonly files: readonly string[];
  readonly count: number;
  /** Observation by which they belong to the episodes: `with the same names as 3 of 9 pictures`. */
  readonly reason: string;
  readonly advice: string;
  /** True if the files are recordings that are assessed as a dataset of their own. */
  readonly is_assessed: boolean;
  /** Files of the episodes concerned, relative to the dataset's folder; `null` if it is all of them. */
  readonly episodes: readonly string[] | null;
}

/** Location and recognition of a dataset; plain JSON, so that another thread can open it. */
export interface RecognisedDataset {
  /** Folder relative to the searched folder; '' for the searched folder itself. */
  readonly path: string;
  readonly recognition: Recognition;
  /** Files beside it that look like parts of its episodes; absent if there are none. */
  readonly companions?: readonly Companions[];
}

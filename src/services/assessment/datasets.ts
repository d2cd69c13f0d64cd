import type { Finding } from '#episode';
import type { Dataset } from '#formats';
import { AssayError } from '#kernel';
import type { DatasetRef } from './messages.ts';

/** A dataset found under the path that is assessed. */
export interface Found {
  /** Relative to the path assessed, `/`-separated; empty for the path itself. */
  readonly name: string;
  /** Absolute folder or file that the reader opened. */
  readonly path: string;
  readonly root: string;
  readonly dataset: Dataset;
}

export interface FoundDatasets {
  readonly found: readonly Found[];
  readonly findings: readonly Finding[];
  /** Files that belong to no dataset. */
  readonly ignored: readonly string[];
}

export async function findDatasets(path: string): Promise<FoundDatasets> {
  throw new AssayError('not_recognised', 'no reader is registered yet', { path });
}

/** Opens a dataset again in another thread. */
export async function reopen(ref: DatasetRef): Promise<Dataset> {
  throw new AssayError('internal', `no reader for ${ref.recognition.format}`);
}

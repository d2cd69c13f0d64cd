import { resolve } from 'node:path';
import type { Finding } from '#core/episode';
import {
  type DiscoverOptions,
  discover,
  type OpenDataset,
  type RecognisedDataset,
  type Unopened,
} from '#formats';
import type { CachePlace } from '../../cache/cache-place.ts';
import { closeRecordings, openRecordings, type Recordings } from '../../recordings/open-recordings.ts';

/** A dataset found under what is assessed. */
export interface Found {
  readonly recognised: RecognisedDataset;
  /** Absolute folder that its locators' paths start from. */
  readonly root: string;
  readonly dataset: OpenDataset;
}

export interface FoundDatasets {
  /** As it was asked for; what a dataset is opened again from. */
  readonly path: Recordings;
  readonly found: readonly Found[];
  readonly findings: readonly Finding[];
  /** What could not be opened here. */
  readonly unopened: readonly Unopened[];
}

/** What is known of a dataset before it is read; plain data, since another thread has it open. */
export interface Seen extends Omit<Found, 'dataset'> {
  /** Of all files it may read, where it was asked for and could be told; see `OpenDataset.stamp`. */
  readonly stamp: string | null;
  readonly dataset: Pick<OpenDataset, 'facts' | 'findings' | 'recognition' | 'units' | 'carried'>;
}

export interface SeenDatasets extends Omit<FoundDatasets, 'found'> {
  readonly found: readonly Seen[];
  /** What measurements are kept under; null where none are. */
  readonly cache: CachePlace | null;
}

/** What of opened datasets goes to another thread; their stamps with it where measurements are kept. */
export function seenOf(all: FoundDatasets, cache: CachePlace | null): SeenDatasets {
  const found = all.found.map(({ recognised, root, dataset }) => {
    const { facts, findings, recognition, units, carried } = dataset;
    const stamp = cache === null ? null : dataset.stamp(cache.begun_ms);
    return { recognised, root, stamp, dataset: { facts, findings, recognition, units, carried } };
  });
  return { ...all, found, cache };
}

/**
 * Finds and opens what is under `path`. Throws `not_found`, `not_permitted`, `not_recognised`, `unreadable_input`,
 * `storage_unavailable`, `unfinished`.
 */
export async function findDatasets(path: Recordings, options: DiscoverOptions = {}): Promise<FoundDatasets> {
  const source = await openRecordings(path);
  try {
    const { root, datasets, findings, unopened } = await discover(source, options);
    const found = datasets.map(({ dataset, ...recognised }) => ({
      recognised,
      dataset,
      root: resolve(root, recognised.path),
    }));
    return { path: typeof path === 'string' ? resolve(path) : path, found, findings, unopened };
  } finally {
    await closeRecordings(source);
  }
}

import { resolve } from 'node:path';
import type { Finding } from '#episode';
import { type Claim, discover, type OpenDataset } from '#formats';
import { closeRecordings, openRecordings, type Recordings } from './recordings.ts';

/** A dataset found under what is assessed. */
export interface Found {
  readonly claim: Claim;
  /** Absolute folder that its locators' paths start from. */
  readonly root: string;
  readonly dataset: OpenDataset;
}

export interface FoundDatasets {
  /** As it was asked for; what a claim is opened again from. */
  readonly path: Recordings;
  readonly found: readonly Found[];
  readonly findings: readonly Finding[];
}

/**
 * Finds and opens what is under `path`. Throws `not_found`, `not_permitted`, `not_recognised`, `unreadable_input`,
 * `storage_unavailable`.
 */
export async function findDatasets(path: Recordings): Promise<FoundDatasets> {
  const source = await openRecordings(path);
  try {
    const { root, datasets, findings } = await discover(source);
    const found = datasets.map(({ dataset, ...claim }) => ({
      claim,
      dataset,
      root: resolve(root, claim.path),
    }));
    return { path: typeof path === 'string' ? resolve(path) : path, found, findings };
  } finally {
    await closeRecordings(source);
  }
}

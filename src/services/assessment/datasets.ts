import { resolve } from 'node:path';
import type { Finding } from '#episode';
import { type Claim, type Dataset, discover } from '#formats';

/** A dataset found under the path that is assessed. */
export interface Found {
  readonly claim: Claim;
  /** Absolute folder that its locators' paths start from. */
  readonly root: string;
  readonly dataset: Dataset;
}

export interface FoundDatasets {
  /** As it was asked for; what a claim is opened again from. */
  readonly path: string;
  readonly found: readonly Found[];
  readonly findings: readonly Finding[];
}

/** Finds and opens what is under `path`. Throws `not_found`, `not_permitted`, `not_recognised`, `unreadable_input`. */
export async function findDatasets(path: string): Promise<FoundDatasets> {
  const { root, datasets, findings } = await discover(path);
  const found = datasets.map(({ dataset, ...claim }) => ({
    claim,
    dataset,
    root: resolve(root, claim.path),
  }));
  return { path: resolve(path), found, findings };
}

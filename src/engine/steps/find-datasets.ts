import { resolve } from 'node:path';
import { canonicalJson, type JsonValue, sha256, toJson } from '#core';
import type { Finding } from '#core/episode';
import {
  type DiscoverOptions,
  discover,
  type OpenDataset,
  type RecognisedDataset,
  type Unopened,
} from '#formats';
import { applySeverities, loaderSeverities } from '#formats/rules';
import type { CacheLocation } from '../cache/program-stamp.ts';
import { closeRecordings, openRecordings, type Recordings } from '../open-recordings.ts';
import { estimateEpisodeSize } from './episode-size.ts';
import { unfinishedDataset, unfinishedError } from './measure/unit-faults.ts';
import type { LookAnswer, StepContext } from './messages.ts';

/** A dataset that was found and opened. */
export interface OpenedDataset {
  readonly recognised: RecognisedDataset;
  /** Absolute base folder of its locators. */
  readonly root: string;
  readonly dataset: OpenDataset;
}

/** Datasets found under one path. */
export interface OpenedDatasets {
  /** The path or reference, to reopen datasets. */
  readonly path: Recordings;
  readonly found: readonly OpenedDataset[];
  readonly findings: readonly Finding[];
  /** Datasets that could not be opened. */
  readonly unopened: readonly Unopened[];
}

/** Description of an opened dataset as plain data, for other threads. */
export interface DatasetInfo extends Omit<OpenedDataset, 'dataset'> {
  /** Stamp of all files that it may read; `null` without cache or if unknown. See `OpenDataset.stamp`. */
  readonly stamp: string | null;
  readonly dataset: Pick<OpenDataset, 'facts' | 'findings' | 'recognition' | 'units' | 'snapshot'>;
}

/** Descriptions of the datasets under one path. */
export interface DatasetInfos extends Omit<OpenedDatasets, 'found'> {
  readonly found: readonly DatasetInfo[];
  /** Measurement cache; `null` if there is none. */
  readonly cache: CacheLocation | null;
}

/** Returns descriptions of opened datasets, with stamps if `cache` is given. */
export function toDatasetInfos(all: OpenedDatasets, cache: CacheLocation | null): DatasetInfos {
  const found = all.found.map(({ recognised, root, dataset }) => {
    const { facts, findings, recognition, units, snapshot } = dataset;
    const stamp = cache === null ? null : dataset.stamp(cache.started_ms);
    return { recognised, root, stamp, dataset: { facts, findings, recognition, units, snapshot } };
  });
  return { ...all, found, cache };
}

/**
 * Finds and opens the datasets under `path`. Throws `not_found`, `not_permitted`, `not_recognised`,
 * `unreadable_input`, `storage_unavailable`, `unfinished`.
 */
export async function findDatasets(path: Recordings, options: DiscoverOptions = {}): Promise<OpenedDatasets> {
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

const unitsPerPart = 1000;

/**
 * Finds the datasets under `path` and submits their units; the datasets stay open for the caller. Throws as
 * `findDatasets`, and `unfinished` if a dataset could not be opened.
 */
export async function lookAtSource(
  path: Recordings,
  context: StepContext,
): Promise<{ answer: LookAnswer; found: readonly OpenedDataset[] }> {
  const all = await findDatasets(path, { onStep: () => context.signal.throwIfAborted() });
  try {
    if (all.unopened.length > 0)
      throw unfinishedError(all.unopened.map(unfinishedDataset), 'run it again, or resume the run');
    return { answer: await describeDatasets(all, context), found: all.found };
  } catch (thrown) {
    for (const { dataset } of all.found) await dataset.close().catch(() => {});
    throw thrown;
  }
}

async function describeDatasets(all: OpenedDatasets, context: StepContext): Promise<LookAnswer> {
  const units = all.found
    .flatMap(({ dataset }, place) => dataset.units.map((unit) => ({ dataset: place, unit })))
    .map((row, place) => ({ place, ...row }));
  for (let from = 0; from < units.length; from += unitsPerPart) {
    await context.submit({ type: 'units', units: toJson(units.slice(from, from + unitsPerPart)) });
  }
  await context.flush();
  const sizes: LookAnswer['sizes'][number][] = [];
  for (const { dataset } of all.found) {
    // Reading episodes of remote recordings would transfer whole files for an estimate.
    sizes.push(isLocal(all.path) ? await estimateEpisodeSize(dataset, context.signal) : null);
  }
  return {
    datasets: toJson(all.found.map(datasetRow)),
    findings: all.findings,
    units: units.length,
    episodes: units.reduce((sum, { unit }) => sum + unit.expected_episodes, 0),
    bytes: units.reduce((sum, { unit }) => sum + unit.bytes, 0),
    found_hash: hashFound(all),
    planned: all.found.map(plannedDataset),
    sizes,
  };
}

const isLocal = (path: Recordings): boolean => typeof path === 'string' || path.kind === 'folder';

function datasetRow({ recognised, root, dataset }: OpenedDataset, place: number) {
  const { facts, recognition, findings } = dataset;
  return {
    ...datasetNames(recognised.path, facts.format),
    place,
    recognised,
    root,
    facts,
    evidence: recognition.evidence,
    findings: applySeverities(findings, loaderSeverities(facts)),
  };
}

const datasetNames = (path: string, format: string) => ({ path: path === '' ? '.' : path, format });

function plannedDataset({ recognised, dataset }: OpenedDataset) {
  const { facts, units } = dataset;
  return {
    ...datasetNames(recognised.path, facts.format),
    version: facts.version,
    units: units.length,
    episodes: units.reduce((sum, unit) => sum + unit.expected_episodes, 0),
    bytes: units.reduce((sum, unit) => sum + unit.bytes, 0),
    cameras: [...facts.declared_cameras],
  };
}

/** Returns a hash that changes whenever a file to be read, or the metadata of a dataset, changes. */
function hashFound({ found, findings }: OpenedDatasets): string {
  const hashed = found.map(({ recognised, dataset }) => ({
    claim: recognised,
    facts: dataset.facts,
    findings: dataset.findings,
    units: dataset.units,
  }));
  // Selectors are reader-specific; they are hashed as the JSON that is sent between threads.
  return sha256(canonicalJson(JSON.parse(JSON.stringify({ seen: hashed, findings })) as JsonValue));
}

import { resolve } from 'node:path';
import { canonicalJson, type JsonValue, sha256, toJson } from '#core';
import type { Episode, Finding } from '#core/episode';
import {
  type DiscoverOptions,
  discover,
  lookCut,
  type OpenDataset,
  type RecognisedDataset,
  type Unopened,
  type WorkUnit,
} from '#formats';
import { applySeverities, loaderSeverities } from '#formats/rules';
import type { EpisodeSize } from '#labels/annotation';
import type { CacheLocation } from '../cache/program-stamp.ts';
import { closeRecordings, openRecordings, type Recordings } from '../open-recordings.ts';
import { unfinishedDataset, unfinishedError } from './measure/unit-faults.ts';
import type { LookAnswer, ThreadContext } from './messages.ts';

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
 * Finds and opens the datasets under `path`; those that cannot be opened are in `unopened`, other problems are findings.
 * Throws `not_found`, `not_permitted`, `not_recognised`, `unreadable_input`, `storage_unavailable`, `unfinished`.
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
/** Maximum time to read first episodes, of all datasets together. */
const maxSampling_ms = 5000;

/**
 * Submits the units of the datasets that were found and returns these with counts, a hash and mean episode sizes for
 * estimates.
 * @throws `unfinished` if a dataset could not be opened
 */
export async function submitFound(all: OpenedDatasets, context: ThreadContext): Promise<LookAnswer> {
  if (all.unopened.length > 0)
    throw unfinishedError(all.unopened.map(unfinishedDataset), 'run it again, or resume the run');
  const units = all.found
    .flatMap(({ dataset }, place) => dataset.units.map((unit) => ({ dataset: place, unit })))
    .map((row, place) => ({ place, ...row }));
  for (let from = 0; from < units.length; from += unitsPerPart) {
    await context.submit({ type: 'units', units: toJson(units.slice(from, from + unitsPerPart)) });
  }
  await context.flush();
  const sizes: LookAnswer['sizes'][number][] = [];
  const until_ms = performance.now() + maxSampling_ms;
  for (const { dataset } of all.found) {
    // Reading episodes of remote recordings would transfer whole files for an estimate.
    const { signal } = context;
    sizes.push(isLocal(all.path) ? await estimateEpisodeSize(dataset, { signal, until_ms }) : null);
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

/** Maximum number of episodes to read, and bytes and time to spend on them. */
const maxSamples = 4;
const maxEpisode_bytes = 64e6;
const maxTime_ms = 600;

/**
 * Returns the mean size of a dataset's episodes before they are measured: as its metadata declares, else of its first
 * episodes if `until_ms` (of `performance.now()`) is not over; `null` if neither is known.
 */
async function estimateEpisodeSize(
  dataset: OpenDataset,
  limits: { readonly signal: AbortSignal; readonly until_ms: number },
): Promise<EpisodeSize | null> {
  const { declared_frames, declared_rate_hz, declared_cameras } = dataset.facts;
  const episodes = dataset.units.reduce((sum, unit) => sum + unit.expected_episodes, 0);
  if (declared_frames !== null && declared_rate_hz !== null && declared_rate_hz > 0 && episodes > 0) {
    const rows = declared_frames / episodes;
    const cameras = declared_cameras.length;
    return { duration_s: rows / declared_rate_hz, cameras, pictures: rows * cameras, picture_mpx: null };
  }
  return meanSize(await readFirstSizes(dataset, limits));
}

/** Reads the sizes of the first episodes; those that cannot be read are left out. */
async function readFirstSizes(
  dataset: OpenDataset,
  { signal, ...limits }: Parameters<typeof estimateEpisodeSize>[1],
): Promise<readonly EpisodeSize[]> {
  const read: EpisodeSize[] = [];
  const until_ms = Math.min(limits.until_ms, performance.now() + maxTime_ms);
  for (const unit of dataset.units.slice(0, maxSamples)) {
    const episode_bytes = (unit.look_bytes ?? unit.bytes) / Math.max(1, unit.expected_episodes);
    if (episode_bytes > maxEpisode_bytes || performance.now() > until_ms) continue;
    try {
      for await (const item of dataset.read(unit, { look: true, hashes: false, copies: false, signal })) {
        if (!('unreadable' in item)) read.push(await wholeSize(dataset, unit, item));
        if (read.length >= maxSamples || performance.now() > until_ms) return read;
      }
    } catch {
      // Measuring reports what is wrong with the unit.
      signal.throwIfAborted();
    }
  }
  return read;
}

/** Returns the size of an episode, extrapolated to the end of its file if only the beginning was read. */
async function wholeSize(dataset: OpenDataset, unit: WorkUnit, episode: Episode): Promise<EpisodeSize> {
  const size = sizeOf(episode);
  const tail = episode.cut?.ends === lookCut ? await dataset.tail?.(unit) : null;
  if (tail == null || size.duration_s <= 0) return size;
  const duration_s = Number(BigInt(tail.end_ns) - BigInt(tail.start_ns)) / 1e9;
  return { ...size, duration_s, pictures: size.pictures * (duration_s / size.duration_s) };
}

function sizeOf({ duration_s, streams }: Episode): EpisodeSize {
  const cameras = streams.filter(({ frames }) => frames !== undefined);
  const sizes = cameras.flatMap(({ frames }) =>
    frames?.declared_size_px == null ? [] : [frames.declared_size_px],
  );
  return {
    duration_s,
    cameras: cameras.length,
    pictures: cameras.reduce((sum, { sample_count }) => sum + sample_count, 0),
    picture_mpx: meanOrNull(sizes.map(([width, height]) => (width * height) / 1e6)),
  };
}

function meanSize(sizes: readonly EpisodeSize[]): EpisodeSize | null {
  if (sizes.length === 0) return null;
  const known = sizes.map(({ picture_mpx }) => picture_mpx).filter((mpx) => mpx !== null);
  return {
    duration_s: mean(sizes.map(({ duration_s }) => duration_s)),
    cameras: mean(sizes.map(({ cameras }) => cameras)),
    pictures: mean(sizes.map(({ pictures }) => pictures)),
    picture_mpx: meanOrNull(known),
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const meanOrNull = (values: readonly number[]): number | null => (values.length === 0 ? null : mean(values));

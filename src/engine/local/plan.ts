import { availableParallelism } from 'node:os';
import { isLarge } from '../large-work.ts';
import type { DatasetInfo } from '../steps/find-datasets.ts';
import type { Task } from '../steps/tasks.ts';
import type { AssessOptions } from './options.ts';

/** Tasks and thread counts of an assessment. */
export interface Plan {
  /** Tasks in the order of datasets and their units. */
  readonly tasks: readonly Task[];
  /** Number of worker threads. */
  readonly workers: number;
  /** Decoder processes per worker. */
  readonly media_children: number;
  /** Threads that each worker's reader may use, including the worker's own. */
  readonly reader_threads: number;
  /** True if saving memory matters more than speed; see `isLarge`. */
  readonly large: boolean;
  readonly episodes_expected: number;
  readonly bytes_expected: number;
}

/** Sizes below which starting a second thread costs more than it saves. Episodes without pictures are fast. */
const singleThreadLimits = { bytes: 24e6, episodes: 400, unpictured_episodes: 1600 };

/**
 * Returns true if recordings of this total size will almost surely need a second thread, so that it can load while the first
 * still lists them. False for large work, whose threads get another heap limit.
 */
export function expectsTwoWorkers(bytes: number, { workers, pictures }: AssessOptions): boolean {
  return (
    pictures !== 'none' &&
    (workers ?? availableParallelism()) > 1 &&
    bytes > singleThreadLimits.bytes &&
    !isLarge(0, bytes)
  );
}

/** Average episodes per unit and decoder from which one thread keeps all decoders busy. */
const episodesPerDecoder = 4;

/**
 * Returns the decoders per worker. For large work a single worker leaves one core for itself, unless that would be
 * half of all.
 */
function decodersPerWorker(cores: number, workers: number, large: boolean): number {
  if (large && workers > 1) return 1;
  return large ? Math.min(cores, Math.max(2, cores - 1)) : Math.max(1, Math.floor(cores / workers));
}

/**
 * Returns the tasks for all units within the episode limit, and the numbers of threads and decoders to use. These affect only
 * speed, never results.
 */
export function planWork(found: readonly DatasetInfo[], options: AssessOptions): Plan {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const tasks: Task[] = [];
  let episodes = 0;
  let bytes = 0;
  found.forEach(({ dataset }, index) => {
    for (const unit of dataset.units) {
      if (unit.first_index >= limit) continue;
      tasks.push({ place: tasks.length, dataset: index, unit });
      episodes += Math.min(unit.expected_episodes, limit - unit.first_index);
      bytes += unit.bytes;
    }
  });
  const cores = availableParallelism();
  const hasPictures = found.some(({ dataset }) => dataset.facts.declared_cameras.length > 0);
  const large = isLarge(episodes, bytes, hasPictures);
  // A single thread feeds all decoders, since each thread and decoder needs more than 100 MB.
  const feeds =
    large &&
    hasPictures &&
    episodes >= episodesPerDecoder * decodersPerWorker(cores, 1, large) * tasks.length;
  const some = feeds ? 1 : cores;
  // Without decoding, a second thread and its decoder process have little to do.
  const quick = hasPictures && options.pictures === 'none';
  const manyBytes = quick ? 4 * singleThreadLimits.bytes : singleThreadLimits.bytes;
  const many = quick || !hasPictures ? singleThreadLimits.unpictured_episodes : singleThreadLimits.episodes;
  const isMuch = bytes > manyBytes || episodes > many;
  const requested = options.workers ?? (isMuch ? some : 1);
  const workers = Math.max(1, Math.min(requested, tasks.length));
  return {
    tasks,
    workers,
    media_children: quick ? 1 : decodersPerWorker(cores, workers, large),
    reader_threads: large ? 1 : Math.max(1, Math.floor(cores / workers)),
    large,
    episodes_expected: episodes,
    bytes_expected: bytes,
  };
}

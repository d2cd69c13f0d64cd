import { availableParallelism } from 'node:os';
import { isLarge } from '../large-work.ts';
import type { Seen } from '../steps/look/datasets.ts';
import type { Task } from '../steps/tasks.ts';
import type { AssessOptions } from './options.ts';

export interface Plan {
  /** In the order of datasets and their units. */
  readonly tasks: readonly Task[];
  /** Threads that work beside the calling one, which reads nothing itself. */
  readonly workers: number;
  /** Decoder processes of each worker. */
  readonly media_children: number;
  /** Threads that the reader of each worker may keep busy, the worker's own among them. */
  readonly reader_threads: number;
  /** Memory counts for more than the last third of speed. */
  readonly large: boolean;
  readonly episodes_expected: number;
  readonly bytes_expected: number;
}

/** Below these a second thread costs more to start than it saves. Episodes without pictures take little time. */
const worthwhile = { bytes: 24e6, episodes: 400, unpictured_episodes: 1600 };

/**
 * Whether a second thread is as good as sure to be started, by the bytes that lie there: it starts while the first still
 * looks. Not where so much lies there that threads get another heap.
 */
export function promisesTwoWorkers(bytes: number, { workers, pictures }: AssessOptions): boolean {
  return (
    pictures !== 'none' &&
    (workers ?? availableParallelism()) > 1 &&
    bytes > worthwhile.bytes &&
    !isLarge(0, bytes)
  );
}

/** Episodes of a unit, on average and for each decoder, of which one thread keeps all decoders at work. */
const fed = 4;

/** Of each worker. Where memory counts, a lone worker leaves a core for itself, unless that were half of all. */
function decoders(cores: number, workers: number, large: boolean): number {
  if (large && workers > 1) return 1;
  return large ? Math.min(cores, Math.max(2, cores - 1)) : Math.max(1, Math.floor(cores / workers));
}

/** Cuts the work and decides on threads. Only speed depends on it, never a result. */
export function planWork(found: readonly Seen[], options: AssessOptions): Plan {
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
  // One thread then feeds all decoders: each thread and each decoder holds more than a hundred megabytes.
  const feeds = large && hasPictures && episodes >= fed * decoders(cores, 1, large) * tasks.length;
  const some = feeds ? 1 : cores;
  // Where nothing is decoded, a second thread and its own child process have little to do.
  const quick = hasPictures && options.pictures === 'none';
  const manyBytes = quick ? 4 * worthwhile.bytes : worthwhile.bytes;
  const many = quick || !hasPictures ? worthwhile.unpictured_episodes : worthwhile.episodes;
  const isMuch = bytes > manyBytes || episodes > many;
  const wanted = options.workers ?? (isMuch ? some : 1);
  const workers = Math.max(1, Math.min(wanted, tasks.length));
  return {
    tasks,
    workers,
    media_children: quick ? 1 : decoders(cores, workers, large),
    reader_threads: large ? 1 : Math.max(1, Math.floor(cores / workers)),
    large,
    episodes_expected: episodes,
    bytes_expected: bytes,
  };
}

import { AssayError, limits } from '#core';
import type { EpisodePose } from '#core/api';
import type { SampledPicture } from '#core/episode';
import type { PictureRequest, PictureStreamRequest, RecognisedDataset } from '#formats';
import type { SpooledPicture } from '#io/media';
import type { RecordingsRef } from '#io/sources';
import type {
  CurationEpisode,
  CurationPlan,
  CurationResult,
  ProbeOptions,
  ProbeResult,
} from '#quality/curation';
import type { BaselineEpisode, DescribedFailure, ScoredFailures, ScoringOptions } from '#quality/failures';
import type { ShardStream } from '#store';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { startThread, WorkerLost, WorkerThread } from '../../workers/worker-thread.ts';

/** Limits of the reader threads. */
export interface ReaderLimits {
  readonly threads: number;
  /** Maximum number of waiting tasks; more are refused. */
  readonly maxWaiting: number;
  /** Time limit per task; longer tasks are aborted. */
  readonly time_limit_ms: number;
}

/** Heap limit; a thread that exceeds it is ended, and its task fails. */
const heap_mb = limits.workers.reader_heap_bytes.value / 2 ** 20;

type ReaderThread = WorkerThread<ReaderTask, ReaderAnswers[keyof ReaderAnswers]>;

/**
 * Threads that read shards and recordings, so that reading neither blocks the event loop nor can crash the service.
 * Threads are started on demand and keep the process alive only during a task.
 */
export class ReaderThreads {
  readonly #time_limit_ms: number;
  readonly #pool: WorkerPool<ReaderThread>;

  constructor({ threads, maxWaiting: waiting, time_limit_ms }: ReaderLimits) {
    this.#time_limit_ms = time_limit_ms;
    this.#pool = new WorkerPool({ workers: threads, maxWaiting: waiting, start: startReader });
  }

  /** Runs a task. Throws its failure, `busy` if too many tasks wait, `limit_exceeded` if it takes too long. */
  do<Task extends ReaderTask>(task: Task): Promise<ReaderAnswers[Task['type']]> {
    return this.#pool.with(null, (thread) => this.#read(thread, task));
  }

  async #read<Task extends ReaderTask>(
    thread: ReaderThread,
    task: Task,
  ): Promise<ReaderAnswers[Task['type']]> {
    const limit = new AbortController();
    const late = stoppedError(`it took longer than ${this.#time_limit_ms / 1000} s`);
    const timer = setTimeout(() => limit.abort(late), this.#time_limit_ms);
    try {
      return (await thread.do(task, { signal: limit.signal })) as ReaderAnswers[Task['type']];
    } catch (thrown) {
      throw thrown instanceof WorkerLost ? stoppedError(`its thread ${thrown.message}`) : thrown;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends all threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

function startReader(): ReaderThread {
  const program = new URL('./reader-thread.ts', import.meta.url);
  return new WorkerThread(startThread(program, { heap_mb }));
}

const stoppedError = (why: string): AssayError =>
  new AssayError('limit_exceeded', `reading was stopped: ${why}`);

/** Location of an episode's numbers: a local shard file and the place in it. */
export interface ShardLocation {
  readonly path: string;
  readonly place: number;
}

/** Reads a part of a stream in at most `columns` columns. */
export interface StreamTask {
  readonly type: 'stream';
  readonly shard: ShardLocation;
  readonly stream_id: string;
  /** Range on the stream's axis; `null`: from its start, to its end. */
  readonly from: number | null;
  readonly to: number | null;
  readonly columns: number;
  /** Indices of dimensions; `null`: the first ones, up to the default maximum. */
  readonly dimensions: readonly number[] | null;
}

/** Reads the poses of an episode. */
export interface PosesTask {
  readonly type: 'poses';
  readonly shard: ShardLocation;
  readonly duration_s: number;
  /** Maximum number of points per pose. */
  readonly points: number;
}

/** Reads a camera's metadata, without decoding. */
export interface CameraTask {
  readonly type: 'camera';
  readonly shard: ShardLocation;
  readonly stream_id: string;
}

/** Metadata of a camera. */
export interface CameraInfo {
  /** Its frames; `null` if the stream has no pictures. */
  readonly frames: NonNullable<ShardStream['frames']> | null;
  readonly declared_rate_hz: number | null;
  readonly sample_count: number;
  /** Time per frame in seconds since the start of the episode, in recording order; `null` without a clock. */
  readonly time_s: Float64Array | null;
  /** The same by the recorder's clock, if the format has one. */
  readonly log_s: Float64Array | null;
}

/** Reads the payload of an embedded picture, after those needed to decode it. */
export interface PicturesTask {
  readonly type: 'pictures';
  readonly recordings: RecordingsRef;
  readonly recognised: RecognisedDataset;
  readonly wanted: PictureRequest;
}

/** Reads the embedded pictures of some rows into a file. */
export interface SpoolTask {
  readonly type: 'spool';
  readonly recordings: RecordingsRef;
  readonly recognised: RecognisedDataset;
  readonly wanted: PictureStreamRequest;
  /** First and last row. */
  readonly rows: readonly [first: number, last: number];
  /** Time of each row in seconds since the start of the episode. */
  readonly time_s: Float64Array;
  readonly target: string;
}

/** Runs a curation plan over a project's episodes; takes seconds of computing. */
interface CurateTask {
  readonly type: 'curate';
  readonly plan: CurationPlan;
  readonly episodes: readonly CurationEpisode[];
}

/** Trains small policies on subsets of a project's episodes; takes seconds of computing. */
interface ProbeTask {
  readonly type: 'probe';
  readonly episodes: readonly CurationEpisode[];
  readonly options: ProbeOptions;
}

/** Compares failures with all of a project's episodes. */
interface ScoreFailuresTask {
  readonly type: 'score_failures';
  readonly episodes: readonly BaselineEpisode[];
  readonly failures: readonly DescribedFailure[];
  readonly options: ScoringOptions;
}

/** Any task for a reader thread. */
export type ReaderTask =
  | StreamTask
  | PosesTask
  | CameraTask
  | PicturesTask
  | SpoolTask
  | CurateTask
  | ProbeTask
  | ScoreFailuresTask;

/** Answer type per task type; a stream is returned as JSON bytes. */
export interface ReaderAnswers {
  readonly stream: Uint8Array;
  readonly poses: readonly EpisodePose[];
  readonly camera: CameraInfo;
  readonly pictures: readonly SampledPicture[];
  readonly spool: readonly SpooledPicture[];
  readonly curate: CurationResult;
  readonly probe: ProbeResult;
  readonly score_failures: ScoredFailures;
}

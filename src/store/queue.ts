import { type JsonObject, limits } from '#core';
import { type JobLayerId, jobLayerIds } from '#core/api';

/** A job as passed to a handler. */
export interface QueuedJob {
  readonly id: string;
  readonly data: JsonObject;
  /** 0 for the first run, plus one each time its process died. */
  readonly attempt: number;
  /** Aborted when the job was given to another process or this one stops. */
  readonly signal: AbortSignal;
}

/** Options of `Queue.work`. */
export interface WorkOptions {
  /** Maximum number of parallel jobs in this process. Default 1. */
  readonly at_once?: number;
  /** Called for a job that ran out of retries, with its last error. */
  readonly onDead?: (data: JsonObject, reason: string) => Promise<void>;
}

/** Options of `Queue.send`. */
export interface SendOptions {
  /** Delay in seconds before the jobs may start. */
  readonly after_s?: number;
  /**
   * The jobs are shares of one piece of work: the first shares of all pieces run before second shares, so that small
   * pieces of work need not wait for large ones.
   */
  readonly shares?: boolean;
}

/** A job queue, in the same database as the data it concerns. */
export interface Queue {
  /** Queues jobs. Inside `Database.transaction` they are queued only if it commits. */
  send(queue: QueueName, jobs: readonly JsonObject[], options?: SendOptions): Promise<void>;
  /**
   * Runs jobs until stopped. A job whose process dies is given to another within 30 s. The same job may run twice (a
   * process seemed dead but was not), so writes of handlers must be fenced. If a handler throws, its job is retried; if
   * it throws because of its signal, the job is returned to the queue.
   */
  work(queue: QueueName, handle: (job: QueuedJob) => Promise<void>, options?: WorkOptions): Promise<void>;
  /** Throws if the queue cannot be used now; for `readyz`. */
  probe(): Promise<void>;
  /** Stops taking jobs, aborts running jobs, and returns those that have not ended after `grace_ms` to the queue. */
  stop(grace_ms: number): Promise<void>;
}

/** Maximum run time of a job; processes that die are noticed earlier, by their heartbeat. */
const day_s = 86_400;

interface QueueDefinition {
  readonly id: QueueName;
  /** Number of retries after a process died while running a job. */
  readonly retries: number;
}

/** Returns the queue of a single annotation layer. */
export const laneQueue = (layer: JobLayerId): LaneQueue => `lane_${layer}`;

type LaneQueue = `lane_${JobLayerId}`;
export type QueueName =
  | 'run_steps'
  | 'run_units'
  | 'job_steps'
  | 'job_stretches'
  | 'lanes_shared'
  | 'export_steps'
  | 'text_steps'
  | 'notification_steps'
  | LaneQueue;

/** All queues. */
export const queueDefinitions: readonly QueueDefinition[] = [
  /** Steps of a whole run: look, compare, annotate, report, finish, sweep. */
  { id: 'run_steps', retries: 5 },
  /** Ranges of run units to be measured or judged. */
  { id: 'run_units', retries: 20 },
  /** Steps of a whole annotation job: conclude, sweep. */
  { id: 'job_steps', retries: 5 },
  /** Jobs queued by earlier versions; nothing is added. */
  { id: 'job_stretches', retries: 20 },
  /** Ranges of episodes to be annotated in several layers that share reading and decoding. */
  { id: 'lanes_shared', retries: 20 },
  /** Steps of an export: write, sweep. */
  { id: 'export_steps', retries: 20 },
  /** Projects whose new texts get vectors for search by meaning. */
  { id: 'text_steps', retries: 5 },
  /** Deliveries of notifications that are due. */
  { id: 'notification_steps', retries: 20 },
  /** Ranges of episodes to be annotated in one layer. */
  ...jobLayerIds.map((layer) => ({ id: laneQueue(layer), retries: 20 })),
];

/** Returns the dead letter queue of a queue, which receives jobs that ran out of retries; all layers share one. */
export const deadLetterQueue = (queue: QueueName): string =>
  queue.startsWith('lane') ? 'lanes_dead' : `${queue}_dead`;

/** Time in seconds without a heartbeat after which a process is considered dead. */
const heartbeat_s = limits.workers.process_silent_s.value;

/** Options of all queues. */
export const jobDefaults = {
  heartbeatSeconds: heartbeat_s,
  expireInSeconds: day_s,
  retentionSeconds: 90 * day_s,
  /** Finished jobs contain nothing that is not in the rows they worked on. */
  deleteAfterSeconds: 3600,
} as const;

import type { JsonObject } from '#core';
import type { QueueName } from './queue-names.ts';

export interface QueuedJob {
  readonly id: string;
  readonly data: JsonObject;
  /** 0 when it is given out first, one more each time that its process died under it. */
  readonly attempt: number;
  /** Aborted when the job is taken away: it went to another process, or this one stops. */
  readonly signal: AbortSignal;
}

export interface WorkOptions {
  /** Jobs at once in this process. */
  readonly at_once?: number;
  /** Hears of a job that was given out as often as may be and done by nobody, with what ended it last. */
  readonly onDead?: (data: JsonObject, reason: string) => Promise<void>;
}

export interface SendOptions {
  /** Not before so many seconds have passed. */
  readonly after_s?: number;
  /**
   * The jobs are shares of one piece of work: the first share of each is taken before the second of any, so that whoever
   * queues little need not wait for whoever has queued much.
   */
  readonly shares?: boolean;
}

/** Work handed out to whichever process is free, on the same database as the data it concerns. */
export interface Queue {
  /** Inside `Database.transaction` they are queued if and only if that commits. */
  send(queue: QueueName, jobs: readonly JsonObject[], options?: SendOptions): Promise<void>;
  /**
   * Takes jobs until stopped; a job whose process dies goes to another within 30 s. A handler may be given the same
   * job twice (a process that seemed dead was not), so what it writes must be fenced. A handler that throws has its job
   * given out again; one that throws because of its signal gives the job back.
   */
  work(queue: QueueName, handle: (job: QueuedJob) => Promise<void>, options?: WorkOptions): Promise<void>;
  /** Throws when nothing can be queued or taken now; for `readyz`. */
  probe(): Promise<void>;
  /** Stops taking, aborts what is being done, and gives back what has not ended after `grace_ms`. */
  stop(grace_ms: number): Promise<void>;
}

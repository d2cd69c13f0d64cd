import type { JsonObject } from '#kernel';

export interface QueuedJob {
  readonly id: string;
  readonly data: JsonObject;
  /** Aborted when the job is taken away: cancelled, or the process stops. */
  readonly signal: AbortSignal;
}

/** Work handed out to whichever process is free, on the same database as the data it concerns. */
export interface Queue {
  /** Inside `Database.transaction` it is queued if and only if that commits. */
  send(queue: string, data: JsonObject, options?: { readonly key?: string }): Promise<void>;
  /** Takes jobs until stopped; a job whose process dies goes to another within 30 s. */
  work(
    queue: string,
    handle: (job: QueuedJob) => Promise<void>,
    options?: { readonly at_once?: number },
  ): Promise<void>;
  /** Stops taking; gives back what has not ended after `grace_ms`. */
  stop(grace_ms: number): Promise<void>;
}

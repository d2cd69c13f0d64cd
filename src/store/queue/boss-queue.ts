import type { Job, JobWithMetadata, PgBoss } from 'pg-boss';
import { AssayError, type JsonObject, messageOf } from '#core';
import type { Database } from '../database/database.ts';
import { JobClaims } from './job-claims.ts';
import type { Queue, QueuedJob, SendOptions, WorkOptions } from './queue.ts';
import { deadQueueOf, type QueueName } from './queue-names.ts';

/**
 * Seconds between looks at a queue. Whatever is sent in this process is known at once, so looking is for what other
 * processes sent, which with the embedded database there are none of. Only the first of a process's pollers looks so
 * often; when it finds something it wakes the others.
 */
const poll_s = { embedded: 5, server: 1, others: 30 } as const;
const refresh_s = 3;

type Handle = (job: QueuedJob) => Promise<void>;

/** pg-boss as the project's queue. */
export class BossQueue implements Queue {
  readonly #database: Database;
  readonly #boss: PgBoss;
  readonly #claims: JobClaims;
  readonly #stopping = new AbortController();
  /** By pg-boss queue: its workers in this process. */
  readonly #pollers = new Map<string, string[]>();

  constructor(database: Database, boss: PgBoss, worker: string) {
    this.#database = database;
    this.#boss = boss;
    this.#claims = new JobClaims(database, worker);
  }

  async send(queue: QueueName, jobs: readonly JsonObject[], options: SendOptions = {}): Promise<void> {
    if (jobs.length === 0) return;
    const { after_s: startAfter, shares } = options;
    const rows = jobs.map((data, share) => ({
      data,
      ...(startAfter === undefined ? {} : { startAfter }),
      ...(shares === true ? { priority: -share } : {}),
    }));
    await this.#boss.insert(queue, rows);
    this.#database.afterCommit(() => this.#wake(queue));
  }

  async work(queue: QueueName, handle: Handle, { at_once = 1, onDead }: WorkOptions = {}): Promise<void> {
    const first = poll_s[this.#database.kind];
    for (let poller = 0; poller < at_once; poller++) {
      await this.#addPoller(queue, poller === 0 ? first : poll_s.others, (job) =>
        this.#do(queue, job, handle),
      );
    }
    if (onDead === undefined) return;
    await this.#addPoller(deadQueueOf(queue), first, (job) => onDead(job.data, reasonOf(job)));
  }

  async probe(): Promise<void> {
    if (!(await this.#boss.isInstalled()))
      throw new AssayError('database_unavailable', 'the queue’s tables are not in the database');
  }

  async stop(grace_ms: number): Promise<void> {
    this.#stopping.abort(new AssayError('cancelled', 'the process stops'));
    await this.#boss.stop({ close: false, graceful: grace_ms > 0, timeout: grace_ms });
  }

  /** Gives jobs back that this worker held when it was killed. */
  async takeUpLeft(): Promise<void> {
    await this.#database.transaction(async () => {
      const claimed = await this.#claims.takeLeft();
      const left = this.#database.kind === 'embedded' ? await this.#allTaken() : claimed;
      for (const [queue, ids] of left)
        await this.#boss.fail(queue, [...ids], { message: 'its process ended' });
    });
  }

  /** The embedded database has one process: whatever was taken was taken by it, also in the moment before it claimed it. */
  async #allTaken(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { rows } = await this.#database.query(`SELECT name, id FROM pgboss.job WHERE state = 'active'`);
    const byQueue = Map.groupBy(rows as { name: string; id: string }[], ({ name }) => name);
    return new Map([...byQueue].map(([queue, own]) => [queue, own.map(({ id }) => id)]));
  }

  async #addPoller(
    name: string,
    pollingIntervalSeconds: number,
    handle: (job: JobWithMetadata<JsonObject>) => Promise<void>,
  ): Promise<void> {
    const own: { id: string | null } = { id: null };
    const options = { pollingIntervalSeconds, heartbeatRefreshSeconds: refresh_s, includeMetadata: true };
    own.id = await this.#boss.work<JsonObject>(name, options, async ([job]: Job<JsonObject>[]) => {
      this.#wake(name);
      try {
        await handle(job as JobWithMetadata<JsonObject>);
      } finally {
        // Looks again at once, whether it is done or to be given out again.
        if (own.id !== null) this.#boss.notifyWorker(own.id);
      }
    });
    this.#pollers.set(name, [...(this.#pollers.get(name) ?? []), own.id]);
  }

  async #do(queue: QueueName, { id, data, retryCount, signal }: Job<JsonObject>, handle: Handle) {
    const either = AbortSignal.any([signal, this.#stopping.signal]);
    // Unclaimed it is done all the same, and if the process is killed it waits for its heartbeat.
    await this.#claims.add(queue, id).catch(unlessAway);
    try {
      await handle({ id, data, attempt: retryCount, signal: either });
    } catch (thrown) {
      // As new: an orderly stop is no attempt that failed. This one is then done.
      if (this.#stopping.signal.aborted) await this.send(queue, [data]);
      else {
        await this.#boss.fail(queue, { id, retryCount }, { message: messageOf(thrown) });
        this.#wake(deadQueueOf(queue));
      }
    } finally {
      await this.#claims.remove(id).catch(() => {});
    }
  }

  #wake(name: string): void {
    for (const id of this.#pollers.get(name) ?? []) this.#boss.notifyWorker(id);
  }
}

function unlessAway(thrown: unknown): void {
  if (!(thrown instanceof AssayError) || thrown.code !== 'database_unavailable') throw thrown;
}

/** What ended a dead job last. */
function reasonOf({ sourceOutput }: JobWithMetadata<JsonObject>): string {
  const output = sourceOutput as { message?: unknown; value?: { message?: unknown } } | null;
  const said = output?.message ?? output?.value?.message;
  return typeof said === 'string' ? said : 'its process ended';
}

import { type Db, type Job, type JobWithMetadata, PgBoss } from 'pg-boss';
import { AssayError, type JsonObject, messageOf } from '#core';
import type { Database } from './database/database.ts';
import { lockMigrations } from './database/migrate.ts';
import {
  deadLetterQueue,
  jobDefaults,
  type Queue,
  type QueuedJob,
  type QueueName,
  queueDefinitions,
  type SendOptions,
  type WorkOptions,
} from './queue.ts';

/** Options of `openQueue`. */
export interface OpenQueueOptions {
  /** Name of this process, unique among processes that share the database and stable across restarts. */
  readonly worker: string;
  /** Called for errors from which the queue recovers by itself, such as a database that does not answer for a while. */
  readonly onError?: (error: Error) => void;
}

/**
 * Interval in seconds of checking for dead workers: with a heartbeat of 10 s a job of a killed process is retried after
 * at most 15 s. The embedded database has a single process, which recovers its jobs when it starts.
 */
const superviseInterval_s = { embedded: 60, server: 4 } as const;

/**
 * Opens the queue of a database, installs its tables if needed, and makes jobs available again that this worker had claimed
 * when it was killed. Several processes may do so at the same time.
 */
export async function openQueue(database: Database, options: OpenQueueOptions): Promise<Queue> {
  await withMigrationLock(database, () => install(database));
  const interval = superviseInterval_s[database.kind];
  const boss = new PgBoss({
    db: bossAdapter(database),
    schedule: false,
    superviseIntervalSeconds: interval,
    monitorIntervalSeconds: interval,
    // Rebuilding indexes concurrently needs a second session.
    reindex: database.kind === 'server',
    monitorVacuum: database.kind === 'server',
  });
  boss.on('error', (error) => options.onError?.(error));
  await boss.start();
  const queue = new BossQueue(database, boss, options.worker);
  await queue.recoverJobs();
  return queue;
}

async function install(database: Database): Promise<void> {
  const installer = new PgBoss({ db: bossAdapter(database), schedule: false, supervise: false });
  installer.on('error', () => {});
  try {
    await installer.start();
    const existing = new Map((await installer.getQueues()).map((queue) => [queue.name, queue]));
    const dead = new Map(
      queueDefinitions.map(({ id, retries }) => [deadLetterQueue(id), { retryLimit: retries }]),
    );
    const all: [string, QueueOptions][] = [
      ...dead,
      ...queueDefinitions.map(({ id, retries }): [string, QueueOptions] => [
        id,
        { retryLimit: retries, deadLetter: deadLetterQueue(id) },
      ]),
    ];
    for (const [id, queueOptions] of all) {
      const options = { ...jobDefaults, ...queueOptions };
      if (!hasOptions(existing.get(id), options)) await defineQueue(installer, id, options);
    }
  } finally {
    await installer.stop({ close: false, graceful: false });
  }
}

interface QueueOptions {
  readonly retryLimit: number;
  readonly deadLetter?: string;
}

/** Returns true if a queue exists with these options. */
const hasOptions = (queue: object | undefined, options: object): boolean =>
  queue !== undefined &&
  Object.entries(options).every(([name, value]) => queue[name as keyof typeof queue] === value);

async function defineQueue(boss: PgBoss, name: string, options: QueueOptions): Promise<void> {
  // Creating an existing queue does not change it, so options are set separately.
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
}

/** Runs `work` in a transaction that only one process at a time can be in. */
async function withMigrationLock(database: Database, work: () => Promise<void>): Promise<void> {
  await database.transaction(async () => {
    await lockMigrations(database);
    await work();
  });
}

const transactionBlock = /^\s*BEGIN;([\s\S]*?)COMMIT;\s*$/;

/**
 * Returns the database adapter of pg-boss. Its statements join the current transaction. Statements that it brackets in `BEGIN;
 * … COMMIT;` run as a transaction of `database`, so that a failure does not leave the session in the middle of one.
 */
function bossAdapter(database: Database): Db {
  return {
    executeSql: async (text, values) => {
      const inner = transactionBlock.exec(text)?.[1];
      if (inner === undefined) return toRows(await database.query(text, values ?? []));
      return database.transaction(async () => toRows(await database.query(inner)));
    },
  };
}

/** Joins the rows of all results; several statements in one query return a list. */
function toRows(answer: unknown): { rows: unknown[] } {
  const answers = (Array.isArray(answer) ? answer : [answer]) as { rows: unknown[] }[];
  return { rows: answers.flatMap(({ rows }) => rows) };
}

/**
 * Polling intervals in seconds. Jobs sent in this process are noticed immediately, so polling is only for other
 * processes, which the embedded database does not have. Only the first poller of a process polls at this rate; when it
 * finds a job it wakes the others.
 */
const pollInterval_s = { embedded: 5, server: 1, others: 30 } as const;
const heartbeatRefresh_s = 3;

type Handle = (job: QueuedJob) => Promise<void>;

/** Implements Queue with pg-boss. */
class BossQueue implements Queue {
  readonly #database: Database;
  readonly #boss: PgBoss;
  readonly #claims: JobClaims;
  readonly #stopping = new AbortController();
  /** Worker ids of this process by pg-boss queue. */
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
    const first = pollInterval_s[this.#database.kind];
    for (let poller = 0; poller < at_once; poller++) {
      await this.#addPoller(queue, poller === 0 ? first : pollInterval_s.others, (job) =>
        this.#runJob(queue, job, handle),
      );
    }
    if (onDead === undefined) return;
    await this.#addPoller(deadLetterQueue(queue), first, (job) => onDead(job.data, failureReason(job)));
  }

  async probe(): Promise<void> {
    if (!(await this.#boss.isInstalled()))
      throw new AssayError('database_unavailable', 'the queue tables are missing from the database');
  }

  async stop(grace_ms: number): Promise<void> {
    this.#stopping.abort(new AssayError('cancelled', 'the process stops'));
    await this.#boss.stop({ close: false, graceful: grace_ms > 0, timeout: grace_ms });
  }

  /** Makes jobs available again that this worker had claimed when it was killed. */
  async recoverJobs(): Promise<void> {
    await this.#database.transaction(async () => {
      const claimed = await this.#claims.takeAll();
      const remaining = this.#database.kind === 'embedded' ? await this.#activeJobs() : claimed;
      for (const [queue, ids] of remaining)
        await this.#boss.fail(queue, [...ids], { message: 'its process ended' });
    });
  }

  /**
   * Returns all active jobs by queue. The embedded database has a single process, so all of them are its own, even if
   * it was killed before it recorded a claim.
   */
  async #activeJobs(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { rows } = await this.#database.query(`SELECT name, id FROM pgboss.job WHERE state = 'active'`);
    const byQueue = Map.groupBy(rows as { name: string; id: string }[], ({ name }) => name);
    return new Map([...byQueue].map(([queue, queueJobs]) => [queue, queueJobs.map(({ id }) => id)]));
  }

  async #addPoller(
    name: string,
    pollingIntervalSeconds: number,
    handle: (job: JobWithMetadata<JsonObject>) => Promise<void>,
  ): Promise<void> {
    const own: { id: string | null } = { id: null };
    const options = {
      pollingIntervalSeconds,
      heartbeatRefreshSeconds: heartbeatRefresh_s,
      includeMetadata: true,
    };
    own.id = await this.#boss.work<JsonObject>(name, options, async ([job]: Job<JsonObject>[]) => {
      this.#wake(name);
      try {
        await handle(job as JobWithMetadata<JsonObject>);
      } finally {
        // Poll again immediately, whether the job is done or will be retried.
        if (own.id !== null) this.#boss.notifyWorker(own.id);
      }
    });
    this.#pollers.set(name, [...(this.#pollers.get(name) ?? []), own.id]);
  }

  async #runJob(queue: QueueName, { id, data, retryCount, signal }: Job<JsonObject>, handle: Handle) {
    const either = AbortSignal.any([signal, this.#stopping.signal]);
    // Without a claim the job is still done; if the process is killed, it waits for its heartbeat.
    await this.#claims.add(queue, id).catch(ignoreUnavailable);
    try {
      await handle({ id, data, attempt: retryCount, signal: either });
    } catch (thrown) {
      // Queue it again as new, because an orderly stop is not a failed attempt. This job then counts as done.
      if (this.#stopping.signal.aborted) await this.send(queue, [data]);
      else {
        await this.#boss.fail(queue, { id, retryCount }, { message: messageOf(thrown) });
        this.#wake(deadLetterQueue(queue));
      }
    } finally {
      await this.#claims.remove(id).catch(() => {});
    }
  }

  #wake(name: string): void {
    for (const id of this.#pollers.get(name) ?? []) this.#boss.notifyWorker(id);
  }
}

function ignoreUnavailable(thrown: unknown): void {
  if (!(thrown instanceof AssayError) || thrown.code !== 'database_unavailable') throw thrown;
}

/** Returns the last error of a dead job. */
function failureReason({ sourceOutput }: JobWithMetadata<JsonObject>): string {
  const output = sourceOutput as { message?: unknown; value?: { message?: unknown } } | null;
  const outputMessage = output?.message ?? output?.value?.message;
  return typeof outputMessage === 'string' ? outputMessage : 'its process ended';
}

/**
 * Records which worker has claimed which job, so that a process that is restarted after a crash recovers its jobs at
 * once instead of waiting for its own heartbeat to expire.
 */
class JobClaims {
  readonly #database: Database;
  readonly #worker: string;

  constructor(database: Database, worker: string) {
    this.#database = database;
    this.#worker = worker;
  }

  async add(queue: QueueName, job: string): Promise<void> {
    await this.#database.query(
      `INSERT INTO queue_claims (job_id, queue, worker) VALUES ($1, $2, $3)
       ON CONFLICT (job_id) DO UPDATE SET worker = excluded.worker`,
      [job, queue, this.#worker],
    );
  }

  async remove(job: string): Promise<void> {
    await this.#database.query('DELETE FROM queue_claims WHERE job_id = $1 AND worker = $2', [
      job,
      this.#worker,
    ]);
  }

  /** Deletes and returns the claims of this worker name from before its end, by queue. */
  async takeAll(): Promise<ReadonlyMap<QueueName, readonly string[]>> {
    const { rows } = await this.#database.query(
      'DELETE FROM queue_claims WHERE worker = $1 RETURNING queue, job_id',
      [this.#worker],
    );
    const remaining = new Map<QueueName, string[]>();
    for (const { queue, job_id } of rows as { queue: QueueName; job_id: string }[]) {
      remaining.set(queue, [...(remaining.get(queue) ?? []), job_id]);
    }
    return remaining;
  }
}

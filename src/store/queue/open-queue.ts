import { type Db, type Job, type JobWithMetadata, PgBoss } from 'pg-boss';
import { AssayError, type JsonObject, messageOf } from '#core';
import type { Database } from '../database/database.ts';
import type { Queue, QueuedJob, SendOptions, WorkOptions } from './queue.ts';
import { deadQueueOf, jobDefaults, type QueueName, queueRows } from './queue-names.ts';

export interface OpenQueueOptions {
  /** Names this process among all that share the database, and stays the same when it is started again. */
  readonly worker: string;
  /** Faults that the queue gets over by itself, such as a database that does not answer for a while. */
  readonly onError?: (error: Error) => void;
}

/**
 * How often the dead are looked for, in seconds: with a heartbeat of 10 s a job of a killed process is given out again
 * after 15 s at most. The embedded database has one process, which takes up its own when it starts.
 */
const supervise_s = { embedded: 60, server: 4 } as const;

/** Opens the queue of a database, installing it where it is not there; several processes may at once. */
export async function openQueue(database: Database, options: OpenQueueOptions): Promise<Queue> {
  await underMigrationLock(database, () => install(database));
  const interval = supervise_s[database.kind];
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
  await queue.takeUpLeft();
  return queue;
}

async function install(database: Database): Promise<void> {
  const installer = new PgBoss({ db: bossAdapter(database), schedule: false, supervise: false });
  installer.on('error', () => {});
  try {
    await installer.start();
    const known = new Map((await installer.getQueues()).map((queue) => [queue.name, queue]));
    const dead = new Map(queueRows.map(({ id, retries }) => [deadQueueOf(id), { retryLimit: retries }]));
    const all: [string, QueueOptions][] = [
      ...dead,
      ...queueRows.map(({ id, retries }): [string, QueueOptions] => [
        id,
        { retryLimit: retries, deadLetter: deadQueueOf(id) },
      ]),
    ];
    for (const [id, own] of all) {
      const options = { ...jobDefaults, ...own };
      if (!isSo(known.get(id), options)) await define(installer, id, options);
    }
  } finally {
    await installer.stop({ close: false, graceful: false });
  }
}

interface QueueOptions {
  readonly retryLimit: number;
  readonly deadLetter?: string;
}

/** Whether a queue is there and as this version has it. */
const isSo = (queue: object | undefined, options: object): boolean =>
  queue !== undefined &&
  Object.entries(options).every(([name, value]) => queue[name as keyof typeof queue] === value);

async function define(boss: PgBoss, name: string, options: QueueOptions): Promise<void> {
  // What is there is not touched by creating it, so a later version's options are set apart.
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
}

/** Any number that nobody else locks. */
const migrationLock = 7_210_001;

/** Runs `work` in a transaction that one process at a time is in: those that start at once go one after the other. */
async function underMigrationLock(database: Database, work: () => Promise<void>): Promise<void> {
  await database.transaction(async () => {
    await database.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await work();
  });
}

const block = /^\s*BEGIN;([\s\S]*?)COMMIT;\s*$/;

/**
 * What pg-boss speaks to. Its statements join the transaction they are called in. Those it brackets itself in
 * `BEGIN; … COMMIT;` run as a transaction of `database`, so that one that fails does not leave its session in the middle.
 */
function bossAdapter(database: Database): Db {
  return {
    executeSql: async (text, values) => {
      const inner = block.exec(text)?.[1];
      if (inner === undefined) return flat(await database.query(text, values ?? []));
      return database.transaction(async () => flat(await database.query(inner)));
    },
  };
}

/** Several statements at once answer with a list. */
function flat(answer: unknown): { rows: unknown[] } {
  const answers = (Array.isArray(answer) ? answer : [answer]) as { rows: unknown[] }[];
  return { rows: answers.flatMap(({ rows }) => rows) };
}

/**
 * Seconds between looks at a queue. Whatever is sent in this process is known at once, so looking is for what other
 * processes sent, which with the embedded database there are none of. Only the first of a process's pollers looks so
 * often; when it finds something it wakes the others.
 */
const poll_s = { embedded: 5, server: 1, others: 30 } as const;
const refresh_s = 3;

type Handle = (job: QueuedJob) => Promise<void>;

/** pg-boss as the project's queue. */
class BossQueue implements Queue {
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

/**
 * Which worker holds which job, so that a process that is started again after it was killed takes up what it held at
 * once, and need not wait until its own heartbeat counts as lost.
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

  /** Jobs that a process of this name held when it ended, by queue; forgotten as they are given. */
  async takeLeft(): Promise<ReadonlyMap<QueueName, readonly string[]>> {
    const { rows } = await this.#database.query(
      'DELETE FROM queue_claims WHERE worker = $1 RETURNING queue, job_id',
      [this.#worker],
    );
    const left = new Map<QueueName, string[]>();
    for (const { queue, job_id } of rows as { queue: QueueName; job_id: string }[]) {
      left.set(queue, [...(left.get(queue) ?? []), job_id]);
    }
    return left;
  }
}

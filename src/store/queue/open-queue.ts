import { PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import { underMigrationLock } from '../database/migration-lock.ts';
import { bossAdapter } from './boss-adapter.ts';
import { BossQueue } from './boss-queue.ts';
import type { Queue } from './queue.ts';
import { deadQueueOf, jobDefaults, queueRows } from './queue-names.ts';

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

import type { Database } from '../database/database.ts';
import type { QueueName } from './queue-names.ts';

/**
 * Which worker holds which job, so that a process that is started again after it was killed takes up what it held at
 * once, and need not wait until its own heartbeat counts as lost.
 */
export class JobClaims {
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

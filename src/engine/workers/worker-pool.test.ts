import { describe, expect, it } from 'vitest';
import { type PooledWorker, WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

class FakeWorker implements PooledWorker {
  lost = false;
  readonly #gone = Promise.withResolvers<void>();
  readonly exited = this.#gone.promise;
  readonly name: number;

  constructor(name: number) {
    this.name = name;
  }

  async end(): Promise<void> {
    this.lost = true;
    this.#gone.resolve();
  }
}

function open(options: Omit<WorkerPoolOptions<FakeWorker>, 'start'>) {
  let started = 0;
  return new WorkerPool({ ...options, start: () => new FakeWorker(started++) });
}

describe('a pool of workers', () => {
  it('gives a request to the worker that has its key open, else to a fresh one', async () => {
    const pool = open({ workers: 2 });
    pool.prepare();
    const nameOf = (key: string | null) => pool.with(key, async ({ name }) => name);
    const first = await nameOf('run a');
    const other = await nameOf('run b');
    expect(other).not.toBe(first);
    expect(await nameOf('run a')).toBe(first);
    expect(await nameOf('run b')).toBe(other);
  });

  it('replaces a worker that is lost', async () => {
    const pool = open({ workers: 1 });
    const lost = await pool.with(null, async (worker) => {
      await worker.end();
      return worker.name;
    });
    expect(await pool.with(null, async ({ name }) => name)).not.toBe(lost);
  });

  it('has requests wait their turn, and refuses those that would wait behind too many', async () => {
    const pool = open({ workers: 1, maxWaiting: 1 });
    const order: number[] = [];
    const work = (place: number) =>
      pool.with(null, async () => {
        await Promise.resolve();
        order.push(place);
      });
    const asked = [work(0), work(1), work(2)];
    await expect(asked[2]).rejects.toMatchObject({ code: 'busy' });
    await Promise.all(asked.slice(0, 2));
    expect(order).toEqual([0, 1]);
  });

  it('tells those that wait, and those that come later, that it is closed', async () => {
    const pool = open({ workers: 1 });
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const working = pool.with(null, () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const waiting = pool.with(null, async () => 'worked');
    const told = expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    await pool.close();
    held.resolve();
    await Promise.all([working, told]);
    await expect(pool.with(null, async () => 'worked')).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('ends workers that have nothing to do, and says when none is left', async () => {
    const rested = Promise.withResolvers<void>();
    const pool = open({ workers: 2, idle_ms: 1, onIdle: rested.resolve });
    const worker = await pool.with(null, async (worker) => worker);
    await rested.promise;
    expect(worker.lost).toBe(true);
    expect(await pool.with(null, async ({ name }) => name)).not.toBe(worker.name);
  });
});

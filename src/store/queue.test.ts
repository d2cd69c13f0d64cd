import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '#core';
import { availableDatabases, openTestStore, type TestStore } from '#test/support/service-store';
import { openQueue } from './open-queue.ts';
import type { Queue } from './queue.ts';

describe.each(availableDatabases)('on the %s database', (on) => {
  let store: TestStore;
  let queue: Queue;
  const heard: JsonObject[] = [];
  beforeAll(async () => {
    store = await openTestStore({ on, queue: (database) => openQueue(database, { worker: 'first' }) });
    queue = store.queue;
    await queue.work('run_steps', async ({ data }) => void heard.push(data), { at_once: 2 });
  }, 60_000);
  afterAll(() => store.close());

  const until = (holds: () => boolean) =>
    vi.waitFor(() => expect(holds()).toBe(true), { timeout: 30_000, interval: 10 });
  const heardOf = (name: string) => heard.filter((data) => data.name === name).length;

  test('what is sent in a transaction is done once that commits, with no wait for another session', async () => {
    await store.database.transaction(async () => {
      await store.database.query("INSERT INTO tenants VALUES ('tnt_a', 'a', now())");
      await queue.send('run_steps', [{ name: 'committed' }]);
      expect(heardOf('committed')).toBe(0);
    });
    await until(() => heardOf('committed') === 1);
  });

  test('what is sent in a transaction that rolls back is never done', async () => {
    const failing = store.database.transaction(async () => {
      await queue.send('run_steps', [{ name: 'rolled back' }]);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    await queue.send('run_steps', [{ name: 'after it' }]);
    await until(() => heardOf('after it') === 1);
    expect(heardOf('rolled back')).toBe(0);
  });

  test('whoever queues little need not wait for whoever has queued much', async () => {
    const share = (of: string) => (_: unknown, at: number) => ({ of, at });
    await queue.send('run_units', Array.from({ length: 20 }, share('much')), { shares: true });
    await queue.send('run_units', Array.from({ length: 3 }, share('little')), { shares: true });
    const order: JsonObject[] = [];
    const worker = await openQueue(store.database, { worker: 'sharing' });
    await worker.work('run_units', async ({ data }) => void order.push(data));
    await until(() => order.length === 23);
    // Wait until the last job is marked as done: otherwise the next test gets it again.
    await worker.stop(2000);
    const last = order.findLastIndex(({ of }) => of === 'little');
    expect(last).toBeLessThan(6);
    expect(order.filter(({ of }) => of === 'much').map(({ at }) => at)).toEqual([...Array(20).keys()]);
  });

  test('a job whose process was killed is taken up by the process of that name when it starts again', async () => {
    const crashed = await openQueue(store.database, { worker: 'crashing' });
    const held = Promise.withResolvers<void>();
    const never = Promise.withResolvers<void>();
    await crashed.work('run_units', async () => {
      held.resolve();
      await never.promise;
    });
    await queue.send('run_units', [{ name: 'held' }]);
    await held.promise;
    const again = await openQueue(store.database, { worker: 'crashing' });
    const taken: number[] = [];
    await again.work('run_units', async ({ attempt }) => void taken.push(attempt));
    await until(() => taken.length === 1);
    expect(taken).toEqual([1]);
    await again.stop(1000);
    never.resolve();
    await crashed.stop(1000);
  });

  test('a job in hand at an orderly stop is given back as new', async () => {
    const stopping = await openQueue(store.database, { worker: 'stopping' });
    const held = Promise.withResolvers<void>();
    await stopping.work('run_units', async ({ signal }) => {
      held.resolve();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await queue.send('run_units', [{ name: 'interrupted' }]);
    await held.promise;
    await stopping.stop(2000);
    const next = await openQueue(store.database, { worker: 'next' });
    const taken: JsonObject[] = [];
    await next.work('run_units', async ({ data, attempt }) => void taken.push({ ...data, attempt }));
    await until(() => taken.length === 1);
    expect(taken).toEqual([{ name: 'interrupted', attempt: 0 }]);
    await next.stop(1000);
  });

  test('a job that fails each time it is given out is told of with its last reason', async () => {
    const dead: string[] = [];
    const failing = await openQueue(store.database, { worker: 'failing' });
    const fail = async () => {
      throw new Error('it never works');
    };
    const onDead = async ({ name }: JsonObject, reason: string) => void dead.push(`${name}: ${reason}`);
    await queue.send('run_units', [{ name: 'hopeless' }]);
    await failing.work('run_units', fail, { onDead });
    await until(() => dead.length === 1);
    expect(dead).toEqual(['hopeless: it never works']);
    await failing.stop(1000);
  });
});

test.each(availableDatabases)(
  'several processes may open the queue of an empty %s database at once',
  async (on) => {
    const store = await openTestStore({ on, bare: true });
    try {
      const queues = await Promise.all(
        ['a', 'b', 'c', 'd'].map((worker) => openQueue(store.database, { worker })),
      );
      for (const queue of queues) await queue.stop(0);
    } finally {
      await store.close();
    }
  },
);

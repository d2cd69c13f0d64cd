import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from './database.ts';
import { openEmbedded } from './open-database.ts';

let folder: string;
let database: Database;
let thread: Worker;
beforeAll(async () => {
  process.once('worker', (started) => {
    thread = started;
  });
  folder = mkdtempSync(join(tmpdir(), 'assay-test-database-'));
  database = await openEmbedded(folder);
  await database.query('CREATE TABLE counters (id int PRIMARY KEY, n int NOT NULL)');
  await database.query('INSERT INTO counters VALUES (1, 0)');
}, 60_000);
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const count = async (): Promise<number> =>
  (await database.query('SELECT n FROM counters WHERE id = 1')).rows[0].n;

test('the embedded database writes through to the disk', async () => {
  const { rows } = await database.query(
    "SELECT current_setting('fsync') f, current_setting('wal_sync_method') m",
  );
  expect(rows).toEqual([{ f: 'on', m: 'open_datasync' }]);
});

test('the thread of the embedded database keeps nothing of what it answered', async () => {
  const heap = async () => (await thread.getHeapStatistics()).used_heap_size;
  const before = await heap();
  for (let i = 0; i < 60; i++) await database.query("SELECT repeat('x', 1000000)");
  expect((await heap()) - before).toBeLessThan(30e6);
});

test('transactions at once do not see each other half done', async () => {
  const before = await count();
  const add = () =>
    database.transaction(async () => {
      const n = await count();
      await new Promise((resolve) => setTimeout(resolve, 2));
      await database.query('UPDATE counters SET n = $1 WHERE id = 1', [n + 1]);
    });
  await Promise.all(Array.from({ length: 12 }, add));
  expect(await count()).toBe(before + 12);
});

test('what a transaction did is gone when it throws', async () => {
  const before = await count();
  const failing = database.transaction(async () => {
    await database.query('UPDATE counters SET n = n + 100 WHERE id = 1');
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await count()).toBe(before);
});

test('a transaction inside another joins it instead of waiting for itself', async () => {
  const before = await count();
  await database.transaction(async () => {
    await database.transaction(async () => database.query('UPDATE counters SET n = n + 1 WHERE id = 1'));
    expect(await count()).toBe(before + 1);
  });
  expect(await count()).toBe(before + 1);
});

test('what waits for a commit hears of it after it, and never of a rollback', async () => {
  const heard: string[] = [];
  const failing = database.transaction(async () => {
    database.afterCommit(() => heard.push('rolled back'));
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  await database.transaction(async () => {
    await database.transaction(async () => database.afterCommit(() => heard.push('inner')));
    heard.push('before the commit');
  });
  database.afterCommit(() => heard.push('outside'));
  expect(heard).toEqual(['before the commit', 'inner', 'outside']);
});

test('what outlives its transaction speaks outside of it', async () => {
  const before = await count();
  let later = Promise.resolve<unknown>(null);
  const ended = Promise.withResolvers<void>();
  await database.transaction(async () => {
    later = ended.promise.then(() => database.query('UPDATE counters SET n = n + 1 WHERE id = 1'));
  });
  const failing = database.transaction(async () => {
    ended.resolve();
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  await later;
  expect(await count()).toBe(before + 1);
});

test('a mark is made with what was done, or neither', async () => {
  const before = await count();
  const add = (n: number) => database.query('UPDATE counters SET n = n + $1 WHERE id = 1', [n]);
  const mark = async () => void (await add(10));
  await database.withCommitHook(mark, () => database.transaction(() => add(1)));
  expect(await count()).toBe(before + 11);
  const refuse = () => Promise.reject(new Error('taken over'));
  await expect(database.withCommitHook(refuse, () => database.transaction(() => add(1)))).rejects.toThrow(
    'taken over',
  );
  expect(await count()).toBe(before + 11);
});

test('a wrong statement is that statement’s error only', async () => {
  await expect(database.query('SELECT nothing_like_it')).rejects.toMatchObject({ code: '42703' });
  expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('text, bytes, arrays, json and times keep their values', async () => {
  const at = new Date('2026-03-01T12:00:00.123Z');
  const values = ['é "quoted" 🤖', Buffer.from([0, 1, 255]), ['a', 'b,c'], { deep: [1, null] }, at];
  const { rows } = await database.query(
    'SELECT $1::text t, $2::bytea b, $3::text[] a, $4::jsonb j, $5::timestamptz at, 9007199254740991::int8 n',
    values,
  );
  expect(rows[0]).toEqual({
    t: values[0],
    b: values[1],
    a: values[2],
    j: values[3],
    at,
    n: 9007199254740991,
  });
});

test('a heavy query does not hold up the event loop', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  await database.query('SELECT sum(i) FROM generate_series(1, 3000000) AS s(i)');
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { seededRandom } from '#core';
import { ExtentCache } from './extent-cache.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-test-extents-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const size = 5000;
const stored = Uint8Array.from({ length: size }, (_, at) => (at * 7) % 251);
const version = (path: string) => ({ store: 's', path, etag: 'e', bytes: size });

function newFolder(): string {
  const folder = mkdtempSync(join(scratch, 'cache-'));
  mkdirSync(join(folder, 'arriving'));
  return folder;
}

function reading(cache: ExtentCache) {
  let fetched = 0;
  const read = (offset: number, length: number, path = 'one', keep = true) =>
    cache.read(
      version(path),
      offset,
      length,
      async (from, bytes) => {
        fetched += bytes;
        return stored.slice(from, from + bytes);
      },
      { onCached: () => {}, keep },
    );
  return { read, fetched: () => fetched };
}

test('whatever ranges are asked for, they hold what lies there, and no byte is fetched twice', async () => {
  const folder = newFolder();
  const random = seededRandom(3);
  const { read, fetched } = reading(new ExtentCache(folder, 1e6));
  for (let i = 0; i < 200; i++) {
    const offset = Math.floor(random.next() * size);
    const length = Math.floor(random.next() * 600);
    expect(await read(offset, length)).toEqual(stored.slice(offset, offset + length));
  }
  expect(fetched()).toBeLessThanOrEqual(size);
  const again = reading(new ExtentCache(folder, 1e6));
  await again.read(0, size);
  expect(again.fetched()).toBe(size - fetched());
});

test('the least recently used is deleted when there is too much', async () => {
  const folder = newFolder();
  const { read } = reading(new ExtentCache(folder, 12_000));
  for (const [at, path] of ['one', 'two', 'three', 'four'].entries()) {
    mkdirSync(join(folder, 'extents'), { recursive: true });
    const before = new Set(readdirSync(join(folder, 'extents')));
    await read(0, size, path);
    for (const name of readdirSync(join(folder, 'extents')))
      if (!before.has(name)) utimesSync(join(folder, 'extents', name), 1000 + at, 1000 + at);
  }
  const bytes = readdirSync(join(folder, 'extents'), { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, 'extents', name)))
    .reduce((sum, info) => sum + (info.isFile() ? info.size : 0), 0);
  expect(bytes).toBeLessThanOrEqual(12_000);
});

test('a folder that takes nothing, and what is not to be kept, cost a fetch and no more', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'extents'), 'no folder');
  const { read, fetched } = reading(new ExtentCache(folder, 1e6));
  expect(await read(10, 20)).toEqual(stored.slice(10, 30));
  expect(await read(10, 20)).toEqual(stored.slice(10, 30));
  expect(fetched()).toBe(40);
  const other = newFolder();
  await reading(new ExtentCache(other, 1e6)).read(0, 100, 'one', false);
  expect(readdirSync(other)).toEqual(['arriving']);
});

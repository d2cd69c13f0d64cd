import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { clearCache, type FetchObject, ObjectCache } from './object-cache.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-test-cache-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let folders = 0;
const newFolder = () => join(scratch, `cache-${folders++}`);
const version = (key: string, bytes = 10) => ({ store: 'b', path: key, etag: 'e', bytes });

function counting(): { fetch: FetchObject; fetched: string[] } {
  const fetched: string[] = [];
  return {
    fetched,
    fetch: async ({ path: key, bytes }, path) => {
      fetched.push(key);
      await sleep(30);
      writeFileSync(path, key.padEnd(bytes, '.'));
    },
  };
}

test('an object is fetched once, however many ask for it at once, and each has it by a name of their own', async () => {
  const folder = newFolder();
  const { fetch, fetched } = counting();
  const paths = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const cache = new ObjectCache(folder, 1e6);
      const path = join(await cache.openMirror(), 'file');
      await cache.linkAt(version('one'), path, fetch);
      return path;
    }),
  );
  expect(fetched).toEqual(['one']);
  rmSync(paths[0]);
  for (const path of paths.slice(1)) expect(readFileSync(path, 'utf8')).toBe('one.......');
});

test('what was unused for longest goes when there is too much, and stays with whoever holds it', async () => {
  const folder = newFolder();
  const { fetch, fetched } = counting();
  const cache = new ObjectCache(folder, 35);
  const mirror = await cache.openMirror();
  const ask = async (key: string) => {
    const path = join(mirror, key);
    rmSync(path, { force: true });
    await cache.linkAt(version(key), path, fetch);
    await sleep(10);
  };
  for (const key of ['a', 'b', 'c', 'a', 'd']) await ask(key);
  expect(readdirSync(join(folder, 'objects'))).toHaveLength(3);
  expect(existsSync(join(mirror, 'b'))).toBe(true);
  await ask('a');
  await ask('b');
  expect(fetched).toEqual(['a', 'b', 'c', 'd', 'b']);
});

test('an object larger than the cache is fetched all the same', async () => {
  const cache = new ObjectCache(newFolder(), 5);
  const { fetch } = counting();
  const path = join(await cache.openMirror(), 'file');
  await cache.linkAt(version('large'), path, fetch);
  expect(readFileSync(path, 'utf8')).toBe('large.....');
});

test('a fetch that failed leaves nothing, and the next one tries again', async () => {
  const folder = newFolder();
  const cache = new ObjectCache(folder, 1e6);
  const path = join(await cache.openMirror(), 'file');
  const failing: FetchObject = async (_, to) => {
    writeFileSync(to, 'half');
    throw new Error('lost');
  };
  await expect(cache.linkAt(version('x'), path, failing)).rejects.toThrow('lost');
  expect(readdirSync(join(folder, 'objects'))).toEqual([]);
  expect(readdirSync(join(folder, 'arriving'))).toEqual([]);
  await cache.linkAt(version('x'), path, counting().fetch);
  expect(readFileSync(path, 'utf8')).toBe('x.........');
});

test('a fetcher that was killed is not waited for', async () => {
  const folder = newFolder();
  const cache = new ObjectCache(folder, 1e6);
  const path = join(await cache.openMirror(), 'file');
  await cache.linkAt(version('x'), path, counting().fetch);
  const [object] = readdirSync(join(folder, 'objects'));
  const lock = join(folder, 'objects', `${object}.lock`);
  rmSync(join(folder, 'objects', object));
  rmSync(path);
  writeFileSync(lock, '');
  utimesSync(lock, 1000, 1000);
  await cache.linkAt(version('x'), path, counting().fetch);
  expect(existsSync(path)).toBe(true);
});

test('what killed processes left is cleared, what is cached stays', async () => {
  const folder = newFolder();
  const cache = new ObjectCache(folder, 1e6);
  const mirror = await cache.openMirror();
  await cache.linkAt(version('x'), join(mirror, 'file'), counting().fetch);
  writeFileSync(join(folder, 'arriving', 'elsewhere-1-half'), '');
  utimesSync(join(folder, 'arriving', 'elsewhere-1-half'), 1000, 1000);
  utimesSync(mirror, 1000, 1000);
  clearCache(folder);
  expect(readdirSync(join(folder, 'arriving'))).toEqual([]);
  expect(readdirSync(join(folder, 'held'))).toEqual([]);
  expect(readdirSync(join(folder, 'objects'))).toHaveLength(1);
});

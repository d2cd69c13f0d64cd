import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '#core';
import { haveServers, onServers, startS3, type TestS3 } from '#test/support/servers';
import type { Blobs, BlobsOptions } from './blobs.ts';
import { openBlobs, sweepOrphans } from './open-blobs.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-test-blobs-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const bytes = (length: number, seed = 1): Uint8Array => {
  const random = seededRandom(seed);
  return Uint8Array.from({ length }, () => random.next() * 256);
};
const text = (value: Uint8Array): string => Buffer.from(value).toString();

async function keysOf(blobs: Blobs, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list(prefix)) keys.push(key);
  return keys;
}

function behavesAsAStore(open: () => Promise<BlobsOptions>): void {
  let blobs: Blobs;
  beforeAll(async () => {
    blobs = openBlobs(await open());
  });
  afterAll(() => blobs?.close());

  test('what was put is got, whole, by range and as a stream', async () => {
    const stored = bytes(100_000);
    await blobs.put('t/r/pack', stored);
    expect(Buffer.compare(await blobs.get('t/r/pack'), stored)).toBe(0);
    expect(Buffer.compare(await blobs.range('t/r/pack', 500, 77), stored.subarray(500, 577))).toBe(0);
    expect(Buffer.compare(await buffer(await blobs.stream('t/r/pack')), stored)).toBe(0);
  });

  test('a range past the end is as long as what is there', async () => {
    await blobs.put('t/short', Buffer.from('0123456789'));
    expect(text(await blobs.range('t/short', 7, 100))).toBe('789');
    expect((await blobs.range('t/short', 10, 5)).length).toBe(0);
    expect((await blobs.range('t/short', 2, 0)).length).toBe(0);
  });

  test('putting a file stores it and takes it away, and it can be opened by name', async () => {
    const path = join(scratch, 'to-store');
    writeFileSync(path, 'in a file');
    await blobs.putFile('t/from a file (1).txt', path);
    expect(existsSync(path)).toBe(false);
    const opened = await blobs.file('t/from a file (1).txt');
    expect(text(await buffer(createReadStream(opened.path)))).toBe('in a file');
    await opened.done();
    expect(text(await blobs.get('t/from a file (1).txt'))).toBe('in a file');
  });

  test('a key put again holds the new bytes', async () => {
    await blobs.put('t/again', Buffer.from('a much longer text'));
    await blobs.put('t/again', Buffer.from('b'));
    expect(text(await blobs.get('t/again'))).toBe('b');
  });

  test('an absent key is not found, whichever way it is asked for', async () => {
    const missing = { code: 'not_found' };
    await expect(blobs.get('t/nothing')).rejects.toMatchObject(missing);
    await expect(blobs.range('t/nothing', 0, 1)).rejects.toMatchObject(missing);
    await expect(blobs.stream('t/nothing')).rejects.toMatchObject(missing);
    await expect(blobs.file('t/nothing')).rejects.toMatchObject(missing);
    await blobs.delete(['t/nothing']);
  });

  test('keys are listed in their own order, by any prefix', async () => {
    const keys = ['l/a', 'l/a-b', 'l/aa/1', 'l/a0', 'l/é', 'l/z', 'lone'];
    await Promise.all(keys.toReversed().map((key) => blobs.put(key, Buffer.from('x'))));
    expect(await keysOf(blobs, 'l/')).toEqual(['l/a', 'l/a-b', 'l/a0', 'l/aa/1', 'l/z', 'l/é']);
    expect(await keysOf(blobs, 'l/a')).toEqual(['l/a', 'l/a-b', 'l/a0', 'l/aa/1']);
    expect(await keysOf(blobs, 'l')).toContain('lone');
    expect(await keysOf(blobs, 'nothing/below')).toEqual([]);
  });

  test('blobs that no row knows are swept, those just written are not', async () => {
    await Promise.all(['s/known', 's/orphan', 's/orphan2'].map((key) => blobs.put(key, new Uint8Array(3))));
    const known = async () => new Set(['s/known']);
    const anHour = 3_600_000;
    const young = { prefix: 's/', findReferenced: known, written_before: new Date(Date.now() - anHour) };
    expect(await sweepOrphans(blobs, young)).toBe(0);
    expect(await sweepOrphans(blobs, { ...young, written_before: new Date(Date.now() + anHour) })).toBe(2);
    expect(await keysOf(blobs, 's/')).toEqual(['s/known']);
  });

  test.each([
    ['nothing', ''],
    ['absolute', '/etc/passwd'],
    ['upwards', '../up'],
    ['upwards in the middle', 'a/../../up'],
    ['an empty name', 'a//b'],
    ['an empty last name', 'a/'],
    ['a dot', './a'],
    ['a backslash', 'a\\b'],
    ['a control character', 'a\u0000b'],
    ['a name too long', 'a'.repeat(300)],
    ['too long', 'ab/'.repeat(400)],
    ['of the staging folder', '.staging/x'],
    ['half a character', '\ud800'],
  ])('a key that is %s is refused', async (_, key) => {
    await expect(blobs.put(key, new Uint8Array(1))).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(blobs.get(key)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(blobs.delete([key])).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('a store that works says so', async () => {
    await blobs.probe();
    expect(await keysOf(blobs, '')).not.toContain('.probe');
  });
}

describe('blobs in a folder', () => {
  const folder = join(scratch, 'blobs');
  behavesAsAStore(async () => ({ kind: 'folder', folder }));

  test('nothing half written is left in the staging folder', () => {
    expect(readdirSync(join(folder, '.staging'))).toEqual([]);
  });
});

describe.skipIf(!haveServers)(onServers('blobs in S3'), () => {
  let s3: TestS3;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3?.stop());

  describe('under a prefix', () => {
    behavesAsAStore(async () => ({
      ...(await s3.bucket('prefixed', 'some/where')),
      scratch_folder: scratch,
    }));
  });
  describe('as a whole bucket', () => {
    behavesAsAStore(async () => ({ ...(await s3.bucket('whole')), scratch_folder: scratch }));
  });

  test('more keys than one answer of a server holds are listed and deleted', async () => {
    const blobs = openBlobs(await s3.bucket('many'));
    const keys = Array.from({ length: 1203 }, (_, at) => `many/${String(at).padStart(5, '0')}`);
    for (let at = 0; at < keys.length; at += 50) {
      await Promise.all(keys.slice(at, at + 50).map((key) => blobs.put(key, new Uint8Array(1))));
    }
    expect(await keysOf(blobs, 'many/')).toEqual(keys);
    await blobs.delete(keys);
    expect(await keysOf(blobs, 'many/')).toEqual([]);
    blobs.close();
  });

  test('a file of several parts arrives whole', async () => {
    const blobs = openBlobs(await s3.bucket('parts'));
    const stored = Buffer.alloc(40 * 1024 * 1024 + 5, 'abcdefg');
    const path = join(scratch, 'large');
    writeFileSync(path, stored);
    await blobs.putFile('large', path);
    expect(Buffer.compare(await blobs.get('large'), stored)).toBe(0);
    blobs.close();
  });

  test('a blob opened by name twice is fetched once, and again when it was written anew', async () => {
    const scratch_folder = join(scratch, 'opened-twice');
    const blobs = openBlobs({ ...(await s3.bucket('opened')), scratch_folder });
    const contentOf = async () => {
      const { path, done } = await blobs.file('b');
      const content = readFileSync(path, 'utf8');
      await done();
      expect(existsSync(path)).toBe(false);
      return content;
    };
    const copies = () => readdirSync(join(scratch_folder, 'fetched', 'objects')).length;
    await blobs.put('b', Buffer.from('first'));
    expect([await contentOf(), await contentOf(), copies()]).toEqual(['first', 'first', 1]);
    await blobs.put('b', Buffer.from('second'));
    expect([await contentOf(), copies()]).toEqual(['second', 2]);
    blobs.close();
  });

  test('a bucket that is not there is unavailable, not an absent key', async () => {
    const blobs = openBlobs({ ...(await s3.bucket('there')), bucket: 'elsewhere' });
    await expect(blobs.get('a')).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(blobs.put('a', new Uint8Array(1))).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(blobs.probe()).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(keysOf(blobs, '')).rejects.toMatchObject({ code: 'storage_unavailable' });
    blobs.close();
  });
});

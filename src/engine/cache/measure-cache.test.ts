import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestValue } from '../steps/measure/cached-measurements.ts';
import { cacheSize, clearCache, MeasureCache, packBlock, sweep } from './measure-cache.ts';

let folder = '';
let trouble: string[] = [];
let cache: MeasureCache;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-cache-'));
  trouble = [];
  cache = new MeasureCache(folder, (why) => trouble.push(why));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const key = digestValue('a key');
const other = digestValue('another key');
const pathOf = (of: string) => join(folder, 'measured', of.slice(0, 2), of.slice(2));
const asRoot = process.platform === 'linux' && process.getuid?.() === 0;

function write(of: string, ...texts: string[]): void {
  cache.write(
    of,
    texts.map((text) => packBlock(Buffer.from(text))),
  );
}

function read(of: string): string[] | null {
  const blocks = cache.read(of);
  return blocks === null ? null : [...blocks].map(String);
}

describe('what is kept of measuring', () => {
  it('comes back as it was written, and is replaced whole', () => {
    expect(read(key)).toBeNull();
    write(key, 'one', 'two'.repeat(100_000));
    expect(read(key)).toEqual(['one', 'two'.repeat(100_000)]);
    write(key, 'three');
    expect(read(key)).toEqual(['three']);
    expect(readdirSync(join(folder, 'measured'))).toEqual([key.slice(0, 2)]);
  });

  it('is not believed once a byte of it changed, or bytes of it are missing', () => {
    write(key, 'some numbers');
    const whole = readFileSync(pathOf(key));
    for (let at = 0; at < whole.length; at += 3) {
      const spoiled = Buffer.from(whole);
      spoiled[at] ^= 1;
      writeFileSync(pathOf(key), spoiled);
      expect(read(key)).toBeNull();
      writeFileSync(pathOf(key), whole);
      truncateSync(pathOf(key), at);
      expect(read(key)).toBeNull();
    }
    writeFileSync(pathOf(key), Buffer.concat([whole, Buffer.from('more')]));
    expect(read(key)).toBeNull();
    write(key, 'some numbers');
    expect(read(key)).toEqual(['some numbers']);
  });

  it('is not believed under another key, or through a link', () => {
    write(key, 'some numbers');
    mkdirSync(join(pathOf(other), '..'), { recursive: true });
    symlinkSync(pathOf(key), pathOf(other));
    expect(read(other)).toBeNull();
    renameSync(pathOf(key), pathOf(other));
    expect(read(other)).toBeNull();
  });

  it.skipIf(!asRoot)('is not believed from another user (needs root)', () => {
    write(key, 'some numbers');
    chownSync(pathOf(key), 12345, 12345);
    expect(read(key)).toBeNull();
  });

  it('is nothing, with one warning, where the folder cannot be written', () => {
    writeFileSync(join(folder, 'measured'), 'a file');
    write(key, 'one');
    write(other, 'two');
    expect(trouble).toHaveLength(1);
    expect(read(key)).toBeNull();
    expect(readdirSync(folder)).toEqual(['measured']);
  });

  it.skipIf(asRoot)('is still read where the folder may only be read', () => {
    write(key, 'one');
    chmodSync(join(folder, 'measured'), 0o500);
    write(other, 'two');
    expect(read(key)).toEqual(['one']);
    expect(trouble).toHaveLength(1);
    chmodSync(join(folder, 'measured'), 0o700);
  });

  it.skipIf(!existsSync('/proc/self'))('ends where folders cannot be made at all (needs /proc)', () => {
    const nowhere = new MeasureCache('/proc/nowhere/below', (why) => trouble.push(why));
    nowhere.write(key, [packBlock(Buffer.from('one'))]);
    expect(trouble).toHaveLength(1);
  });
});

describe('sweeping', () => {
  it('takes out what was not used for longest, and nothing beside the entries', async () => {
    const keys = Array.from({ length: 10 }, (_, at) => digestValue(at));
    for (const [at, one] of keys.entries()) {
      write(one, `${at}`.repeat(50));
      utimesSync(pathOf(one), 1000 + at, 1000 + at);
    }
    writeFileSync(join(folder, 'beside'), 'x');
    // Using the oldest makes it the newest.
    read(keys[0]);
    await sweep(folder, { bytes: 1e9, entries: 5 });
    expect(keys.map((one) => existsSync(pathOf(one)))).toEqual([
      ...[true, false, false, false, false, false],
      ...[false, true, true, true],
    ]);
    const { bytes } = await cacheSize(folder);
    await sweep(folder, { bytes: bytes - 1, entries: 100 });
    expect((await cacheSize(folder)).entries).toBe(3);
    expect(await clearCache(folder)).toMatchObject({ entries: 3 });
    expect(readdirSync(folder)).toEqual(['beside']);
  });

  it('clears away what a process that is gone was writing, and leaves what another writes', async () => {
    write(key, 'one');
    const [gone, busy] = ['.writing-1-0-0', '.writing-2-0-0'].map((name) => join(folder, 'measured', name));
    writeFileSync(gone, 'half');
    utimesSync(gone, 1000, 1000);
    writeFileSync(busy, 'half');
    await sweep(folder);
    expect([existsSync(gone), existsSync(busy), read(key)]).toEqual([false, true, ['one']]);
  });
});

describe('the digest of plain data', () => {
  it('tells apart what differs, and nothing else', () => {
    const alike = [digestValue({ a: 1, b: [2] }), digestValue({ b: [2], a: 1 })];
    expect(alike[0]).toBe(alike[1]);
    const values = [
      0,
      -0,
      '0',
      null,
      undefined,
      [],
      {},
      [0],
      { a: undefined },
      ['a', 'b'],
      ['ab'],
      Number.NaN,
    ];
    const more = [
      new Uint8Array([1, 0]),
      new Uint16Array([1]),
      new Float64Array([0]),
      [[], []],
      [[[]]],
      true,
    ];
    const digests = [...values, ...more].map(digestValue);
    expect(new Set(digests).size).toBe(digests.length);
  });
});

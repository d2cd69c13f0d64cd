import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openSourceTree } from '#io/sources';
import { folderWith, removeFolders } from '#test/support/mcap-files';
import { makeBag, type TestBag, u32, unindexed } from '#test/support/rosbag-files';
import { UnpackAhead } from '../shared/compression/unpack-ahead.ts';
import type { ReadOptions } from '../shared/reader.ts';
import { rosbagReader } from './index.ts';

afterAll(removeFolders);
afterEach(() => vi.restoreAllMocks());

const start = 1_700_000_000;
const rows = 400;
const bag: TestBag = {
  connections: [{ topic: '/arm', type: 'p/Wide', definition: 'float64[] values' }],
  messages: Array.from({ length: rows }, (_, i) => {
    const values = new Uint8Array(Float64Array.from({ length: 40 }, (_, at) => i + at / 8).buffer);
    return { connection: 0, sec: start + i, data: Buffer.concat([u32(40), values]) };
  }),
  compression: 'bz2',
};
const made = makeBag(bag);

/** Threads are started for files of some size only: what lies behind the end of a bag is passed over. */
const large = (bytes: Uint8Array) => Buffer.concat([bytes, new Uint8Array(3 * 1024 * 1024)]);

async function read(bytes: Uint8Array, options: ReadOptions) {
  const tree = await openSourceTree(join(folderWith({ 'x.bag': bytes }), 'x.bag'));
  const recognition = await rosbagReader.recognise(tree);
  if (recognition === null) throw new Error('expected a bag');
  const dataset = await rosbagReader.open(tree, recognition);
  const items = [];
  for await (const item of dataset.read(dataset.units[0], options)) items.push(item);
  await dataset.close();
  return items;
}

/** How many chunks came from those that were unpacked ahead. */
const taken = () => {
  const spy = vi.spyOn(UnpackAhead.prototype, 'take');
  return () => spy.mock.results.filter(({ value }) => value !== null).length;
};

describe('chunks unpacked ahead', () => {
  const damaged = Uint8Array.from(made.bytes);
  damaged[made.chunks[20] + 300] ^= 1;
  const lying = Uint8Array.from(made.bytes);
  lying.set(u32(1234), Buffer.from(lying).indexOf('size=', made.chunks[25]) + 5);
  const headless = Uint8Array.from(made.bytes);
  headless.fill(255, made.chunks[30], made.chunks[30] + 8);

  it.each([
    ['whole', made.bytes],
    ['without index', unindexed(made)],
    ['damaged in a chunk', damaged],
    ['saying a wrong size', lying],
    ['with a chunk that is none', headless],
    ['cut', made.bytes.subarray(0, made.chunks[35] + 200)],
  ])('of a bag %s give what they give one by one', async (_, bytes) => {
    const file = large(bytes);
    const alone = await read(file, {});
    const count = taken();
    for (const threads of [2, 4]) expect(await read(file, { threads })).toEqual(alone);
    expect(count()).toBeGreaterThan(20);
  });

  it('start no thread for a small file, or where the reader has one', async () => {
    const offer = vi.spyOn(UnpackAhead.prototype, 'offer');
    await read(made.bytes, { threads: 4 });
    await read(large(made.bytes), {});
    expect(offer).not.toHaveBeenCalled();
  });

  it('end their threads when reading stops in the middle', async () => {
    const terminate = vi.spyOn(Worker.prototype, 'terminate');
    const count = taken();
    const abort = new AbortController();
    const onBytes = () => count() > 3 && abort.abort();
    const reading = read(large(made.bytes), { threads: 2, signal: abort.signal, onBytes });
    await expect(reading).rejects.toThrow('aborted');
    expect(terminate).toHaveBeenCalledOnce();
  });
});

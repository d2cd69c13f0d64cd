import { expect, test } from 'vitest';
import { SharedReads } from './caches.ts';

/** A place that is written at once and read slowly: what it held when the reading began. */
const slowPlace = () => {
  const place = { value: 0, readings: 0 };
  const read = async () => {
    place.readings += 1;
    const { value } = place;
    await new Promise((resolve) => setTimeout(resolve, 5));
    return value;
  };
  return { place, read };
};

test('many who ask at once share two readings, and nobody misses what was written before they asked', async () => {
  const { place, read } = slowPlace();
  const reads = new SharedReads<number>();
  const asked: Promise<unknown>[] = [];
  for (let written = 1; written <= 200; written++) {
    place.value = written;
    asked.push(reads.read('a', read).then((value) => expect(value).toBeGreaterThanOrEqual(written)));
    if (written % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 7));
  }
  await Promise.all(asked);
  expect(place.readings).toBeLessThanOrEqual(10);
  place.value = 1000;
  expect(await reads.read('a', read)).toBe(1000);
});

test('what is asked under another key is read for itself', async () => {
  const reads = new SharedReads<string>();
  const both = ['a', 'b'].map((key) => reads.read(key, async () => key));
  expect(await Promise.all(both)).toEqual(['a', 'b']);
});

test('a reading that fails, fails for those who share it and for nobody after', async () => {
  const reads = new SharedReads<number>();
  const fail = async (): Promise<number> => {
    await null;
    throw new Error('away');
  };
  const [first, second] = [reads.read('a', fail), reads.read('a', async () => 7)];
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe(7);
});

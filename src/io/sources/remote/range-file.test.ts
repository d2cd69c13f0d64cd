import { expect, test } from 'vitest';
import { seededRandom } from '#core';
import { RangeFile } from './range-file.ts';

const random = seededRandom(11);
const size = 40_000_000;
const stored = Buffer.alloc(size);
for (let at = 0; at < size; at += 4) stored.writeInt32LE(at, at);

function open() {
  const asked: [offset: number, length: number][] = [];
  const file = new RangeFile(size, async (offset, length) => {
    asked.push([offset, length]);
    return stored.subarray(offset, offset + length);
  });
  return { file, asked };
}

test('reads anywhere what lies there, and less at the end', async () => {
  const { file } = open();
  for (let i = 0; i < 400; i++) {
    const position = Math.floor(random.next() * (size + 1000));
    const length = Math.floor(random.next() ** 4 * 300_000);
    const into = new Uint8Array(length + 10);
    const { bytesRead } = await file.read(into, 5, length, position);
    const expected = stored.subarray(position, position + length);
    expect(bytesRead).toBe(expected.length);
    expect(Buffer.compare(into.subarray(5, 5 + bytesRead), expected)).toBe(0);
  }
});

test('reading from the first byte to the last asks for every byte once, in few large ranges', async () => {
  const { file, asked } = open();
  const into = new Uint8Array(100_000);
  for (let at = 0; at < size; ) at += (await file.read(into, 0, into.length, at)).bytesRead;
  expect(asked.reduce((sum, [, length]) => sum + length, 0)).toBe(size);
  expect(asked.length).toBeLessThan(15);
});

test('a few bytes here and there fetch little', async () => {
  const { file, asked } = open();
  for (let at = 0; at < 20; at++) await file.read(new Uint8Array(8), 0, 8, at * 2_000_000);
  expect(asked.reduce((sum, [, length]) => sum + length, 0)).toBeLessThan(20 * 70_000);
});

test('a range that failed is asked for again', async () => {
  let failures = 1;
  const file = new RangeFile(100, async (offset, length) => {
    if (failures-- > 0) throw new Error('lost');
    return stored.subarray(offset, offset + length);
  });
  await expect(file.read(new Uint8Array(10), 0, 10, 0)).rejects.toThrow('lost');
  expect((await file.read(new Uint8Array(10), 0, 10, 0)).bytesRead).toBe(10);
});

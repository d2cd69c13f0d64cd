import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSourceTree } from '#io/sources';
import { type NpyOptions, npyBytes } from '#test/support/npy-file';
import { readNpyHeader, readNpyNumbers } from '../../comma2k19/arrays.ts';

const top = mkdtempSync(join(tmpdir(), 'assay-npy-'));
afterAll(() => rmSync(top, { recursive: true }));

let made = 0;
async function treeOf(bytes: Uint8Array) {
  const path = `array${made++}`;
  writeFileSync(join(top, path), bytes);
  return { tree: await openSourceTree(top), path };
}

async function read(shape: readonly number[], body: Float64Array | Uint8Array, options: NpyOptions = {}) {
  const { tree, path } = await treeOf(npyBytes(shape, body, options));
  return readNpyNumbers(tree, path);
}

const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

describe('an array file of NumPy', () => {
  it('gives its shape and its numbers, row by row', async () => {
    const { shape, values } = await read([2, 3], Float64Array.of(1, 2, 3, 4, 5, Number.NaN));
    expect(shape).toEqual([2, 3]);
    expect([...values]).toEqual([1, 2, 3, 4, 5, Number.NaN]);
  });

  it('is read the same where its first index runs fastest', async () => {
    const { values } = await read([2, 3], Float64Array.of(1, 4, 2, 5, 3, 6), { fortran: true });
    expect([...values]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each<[string, ArrayBufferView, number[]]>([
    ['<f4', Float32Array.of(0.5, -2), [0.5, -2]],
    ['<f2', Uint16Array.of(0x3c00, 0xc100), [1, -2.5]],
    ['<i8', BigInt64Array.of(-5n, 1n << 40n), [-5, 2 ** 40]],
    ['<u8', BigUint64Array.of(5n, 7n), [5, 7]],
    ['<i4', Int32Array.of(-1, 2), [-1, 2]],
    ['<u4', Uint32Array.of(1, 4294967295), [1, 4294967295]],
    ['<i2', Int16Array.of(-3, 4), [-3, 4]],
    ['<u2', Uint16Array.of(3, 65535), [3, 65535]],
    ['|i1', Int8Array.of(-1, 1), [-1, 1]],
    ['|u1', Uint8Array.of(255, 1), [255, 1]],
    ['|b1', Uint8Array.of(0, 1), [0, 1]],
    ['>i2', Uint8Array.of(1, 0, 0, 2), [256, 2]],
    ['>f8', bytesOf(Float64Array.of(1.5, 2.5)).slice().reverse(), [2.5, 1.5]],
  ])('of %s', async (descr, body, values) => {
    expect([...(await read([values.length], bytesOf(body), { descr })).values]).toEqual(values);
  });

  it('of more than a block, and of format 2', async () => {
    const many = Float64Array.from({ length: 300_000 }, (_, i) => i);
    const { values } = await read([many.length], many, { version: 2 });
    expect(values.at(-1)).toBe(299_999);
    expect(values[131_072]).toBe(131_072);
  });

  it('of no number at all, and of one alone', async () => {
    expect((await read([0], new Float64Array())).values).toHaveLength(0);
    expect((await read([], Float64Array.of(7), { shape: '()' })).values).toEqual(Float64Array.of(7));
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['Python objects', npyBytes([1], new Uint8Array(8), { descr: '|O' }), /pickle/],
    ['fewer bytes than it promises', npyBytes([9], new Float64Array(2)), /\d+ bytes, its header declares/],
    [
      'a shape beyond all bounds',
      npyBytes([2 ** 40, 2 ** 40], new Float64Array(1)),
      /declares an unsupported shape/,
    ],
    ['no shape', npyBytes([1], new Float64Array(1), { shape: 'None' }), /declares no shape/],
    ['complex numbers', npyBytes([1], new Uint8Array(16), { descr: '<c16' }), /unsupported type/],
    ['text', npyBytes([1], new Uint8Array(8), { descr: '<U2' }), /text or bytes/],
    ['a text', Buffer.from('time,value\n1,2\n'), /is not a NumPy/],
    ['nothing', new Uint8Array(), /is not a NumPy/],
    ['half a header', npyBytes([1], new Float64Array(1)).subarray(0, 30), /truncated inside its header/],
    [
      'a header without end',
      Buffer.from('\x93NUMPY\x02\0\xff\xff\xff\xff', 'latin1'),
      /declares a header of/,
    ],
  ])('is refused with %s', async (_, bytes, why) => {
    const { tree, path } = await treeOf(bytes);
    const error = await readNpyNumbers(tree, path).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'unreadable_input', path });
    expect(error.message).toMatch(why);
  });

  it('tells its rows without being read', async () => {
    const { tree, path } = await treeOf(npyBytes([3], Buffer.from('abcdefghijkl'), { descr: '|S4' }));
    expect(await readNpyHeader(tree, path)).toMatchObject({ shape: [3], type: { kind: 'S', bytes: 4 } });
  });
});

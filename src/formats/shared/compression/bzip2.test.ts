import { loadDecompressHandlers } from '@mcap/support';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { packBzip2 } from '#test/support/bzip2';
import { rounds } from '#test/support/tiers';
import { unpackBzip2 } from './bzip2.ts';

/** Runs, repeats and noise over `letters` different bytes. */
function sample(length: number, letters: number, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const run = random.next() < 0.2 ? random.integer(1, 700) : 1;
    const byte = random.integer(0, letters - 1);
    for (let i = 0; i < run && at < length; i++) bytes[at++] = byte;
  }
  return bytes;
}

describe('unpacking bzip2', () => {
  it.each([0, 1, 4, 5, 259, 260, 1000, 49_999, 120_000])(
    'gives back %i bytes, as libbz2 does',
    async (length) => {
      const { bz2 } = await loadDecompressHandlers();
      for (const letters of [1, 20, 256]) {
        const plain = sample(length, letters, length + letters);
        const packed = packBzip2(plain);
        if (length > 0) expect(Buffer.from(bz2?.(packed, BigInt(length)) ?? []).equals(plain)).toBe(true);
        const { bytes, fault } = unpackBzip2(packed, length);
        expect([Buffer.from(bytes).equals(plain), fault]).toEqual([true, null]);
      }
    },
  );

  it('reads what libbz2 wrote, with tables of its own making', () => {
    const packed = Buffer.from(
      'QlpoOTFBWSZTWezqgrcAAReRgEAAEgKcACAAUIYEBSqepmo0TROiaJ4JgnRNCYJgmCaE+E0T8XckU4UJDs6oK3A=',
      'base64',
    );
    const { bytes, fault } = unpackBzip2(packed, 640);
    expect([Buffer.from(bytes).toString(), fault]).toEqual(['robots remember '.repeat(40), null]);
  });

  it('reads several digits of a run at a time, as short codes let them lie together', () => {
    const plain = Uint8Array.from({ length: 4000 }, (_, i) =>
      i % 1000 < 300 ? 7 : Math.clz32(Math.imul(i + 1, 0x9e3779b1)),
    );
    const packed = Buffer.from(
      'QlpoOTFBWSZTWQCQziMABXbQAP/4ACAACDAAuyEAAATUqRkABSVI0A00ondK7JXfaUnEzS50YzVsV1tYcpclbVWGAdSO/hXn' +
        'WriN6vfb50FcYSj7qiXupxpHGijjEbEOjp1+/C5TD+LuSKcKEgASGcRg',
      'base64',
    );
    const { bytes, fault } = unpackBzip2(packed, plain.length);
    expect([Buffer.from(bytes).equals(plain), fault]).toEqual([true, null]);
  });

  it('reads streams that follow one another', () => {
    const packed = Buffer.concat([packBzip2(Uint8Array.of(1, 2)), packBzip2(Uint8Array.of(3))]);
    expect(Array.from(unpackBzip2(packed, 3).bytes)).toEqual([1, 2, 3]);
  });

  it('gives the whole blocks that lie before the cut of a stream that ends early', () => {
    const plain = sample(10_000, 256, 2);
    const packed = packBzip2(plain, 1000);
    for (let length = 3; length < packed.length; length += 499) {
      const { bytes, fault } = unpackBzip2(packed.subarray(0, length), plain.length);
      expect(fault).toBeInstanceOf(RangeError);
      expect(bytes.length % 1000).toBe(0);
      expect(Buffer.from(bytes).equals(plain.subarray(0, bytes.length))).toBe(true);
    }
  });

  it('stops at a block whose checksum is wrong', () => {
    const packed = packBzip2(sample(3000, 200, 9), 1000);
    packed[10] ^= 1;
    const { bytes, fault } = unpackBzip2(packed, 3000);
    expect([bytes.length, fault?.message]).toEqual([0, 'bzip2 block checksum mismatch']);
  });

  it('stops where more comes out than was declared: a bomb', () => {
    const packed = packBzip2(new Uint8Array(200_000));
    const { bytes, fault } = unpackBzip2(packed, 1000);
    expect([bytes.length <= 1000, fault?.message]).toEqual([true, 'more bytes than declared']);
  });

  it('ends in a fault or in bytes, never past the declared size, for 3,000 seeded mutations', () => {
    const random = seededRandom(12);
    const packed = packBzip2(sample(600, 40, 5));
    for (let round = 0; round < rounds(300, 30_000); round++) {
      const hostile = packed.slice(0, random.integer(1, packed.length));
      for (let i = random.integer(0, 4); i > 0; i--)
        hostile[random.integer(0, hostile.length - 1)] = random.integer(0, 255);
      expect(unpackBzip2(hostile, 600).bytes.length).toBeLessThanOrEqual(600);
    }
  });
});

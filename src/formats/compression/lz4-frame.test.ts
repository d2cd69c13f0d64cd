import { loadDecompressHandlers } from '@mcap/support';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#kernel';
import { packLz4Frame } from '../../../test/support/lz4-frame.ts';
import { unpackLz4Frame } from './lz4-frame.ts';

function sample(length: number, letters: number, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const from = random.integer(0, Math.max(0, at - 1));
    const run = at > 0 && random.next() < 0.4 ? random.integer(4, 400) : 0;
    for (let i = 0; i < run && at < length; i++, at++) bytes[at] = bytes[from + (i % (at - from))] ?? 0;
    if (at < length) bytes[at++] = random.integer(0, letters);
  }
  return bytes;
}

describe('unpacking LZ4 frames', () => {
  it.each([0, 1, 5, 13, 100, 65_536, 65_537, 300_000])(
    'gives back %i bytes, as liblz4 does',
    async (length) => {
      const { lz4 } = await loadDecompressHandlers();
      for (const letters of [1, 20, 255]) {
        const plain = sample(length, letters, length + letters);
        const packed = packLz4Frame(plain);
        if (length > 0) expect(Buffer.from(lz4?.(packed, BigInt(length)) ?? []).equals(plain)).toBe(true);
        expect(Buffer.from(unpackLz4Frame(packed, length)).equals(plain)).toBe(true);
      }
    },
  );

  it('repeats bytes where a match overlaps what it writes', () => {
    const packed = packLz4Frame(new Uint8Array(1000).fill(7));
    expect(packed.length).toBeLessThan(60);
    expect(Array.from(unpackLz4Frame(packed, 1000))).toEqual(new Array(1000).fill(7));
  });

  it('reads several frames, and skips the frames that are there to be skipped', () => {
    const skipped = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9);
    const packed = Buffer.concat([
      packLz4Frame(Uint8Array.of(1, 2)),
      skipped,
      packLz4Frame(Uint8Array.of(3)),
    ]);
    expect(Array.from(unpackLz4Frame(packed, 3))).toEqual([1, 2, 3]);
  });

  it('throws RangeError, never writes past the declared size, for 3,000 seeded mutations', () => {
    const random = seededRandom(11);
    const packed = packLz4Frame(sample(3000, 20, 5));
    for (let round = 0; round < 3000; round++) {
      const hostile = packed.slice(0, random.integer(1, packed.length));
      for (let i = random.integer(0, 4); i > 0; i--)
        hostile[random.integer(0, hostile.length - 1)] = random.integer(0, 255);
      try {
        expect(unpackLz4Frame(hostile, 3000).length).toBeLessThanOrEqual(3000);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(RangeError);
      }
    }
  });
});

import { loadDecompressHandlers } from '@mcap/support';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { packLz4Frame } from '#test/support/lz4-frame';
import { rounds } from '#test/support/tiers';
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
        expect(Buffer.from(unpackLz4Frame(packed, length).bytes).equals(plain)).toBe(true);
      }
    },
  );

  it('repeats bytes where a match overlaps what it writes', () => {
    const packed = packLz4Frame(new Uint8Array(1000).fill(7));
    expect(packed.length).toBeLessThan(60);
    expect(Array.from(unpackLz4Frame(packed, 1000).bytes)).toEqual(new Array(1000).fill(7));
  });

  it('reads several frames, and skips the frames that are there to be skipped', () => {
    const skipped = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9);
    const packed = Buffer.concat([
      packLz4Frame(Uint8Array.of(1, 2)),
      skipped,
      packLz4Frame(Uint8Array.of(3)),
    ]);
    expect(Array.from(unpackLz4Frame(packed, 3).bytes)).toEqual([1, 2, 3]);
  });

  /** `robots remember ` forty times, packed by liblz4 with its size and the checksums of block and content. */
  const checked = Buffer.from(
    'BCJNGHxAgAIAAAAAAABrHQAAAP8Bcm9ib3RzIHJlbWVtYmVyIBAA//9aUG1iZXIgT0qoygAAAACfm9wN',
    'base64',
  );

  it('holds blocks and content against their checksums', () => {
    const { bytes, fault } = unpackLz4Frame(checked, 640);
    expect([Buffer.from(bytes).toString(), fault]).toEqual(['robots remember '.repeat(40), null]);
    const wrong = (at: number): string | undefined => {
      const spoiled = Uint8Array.from(checked);
      spoiled[at] ^= 1;
      return unpackLz4Frame(spoiled, 640).fault?.message;
    };
    expect(wrong(25)).toBe('LZ4 block checksum mismatch');
    expect(wrong(checked.length - 1)).toBe('LZ4 frame checksum mismatch');
  });

  it('gives what lies before the cut of a frame that ends early', () => {
    const plain = sample(40_000, 255, 3);
    const packed = packLz4Frame(plain);
    for (let length = 20; length < packed.length; length += 997) {
      const { bytes, fault } = unpackLz4Frame(packed.subarray(0, length), 40_000);
      expect(fault).toBeInstanceOf(RangeError);
      expect(Buffer.from(bytes).equals(plain.subarray(0, bytes.length))).toBe(true);
      expect(bytes.length).toBeGreaterThan(length / 2 - 100);
    }
  });

  it('ends in a fault, never writes past the declared size, for 3,000 seeded mutations', () => {
    const random = seededRandom(11);
    const packed = packLz4Frame(sample(3000, 20, 5));
    for (let round = 0; round < rounds(300, 30_000); round++) {
      const hostile = packed.slice(0, random.integer(1, packed.length));
      for (let i = random.integer(0, 4); i > 0; i--)
        hostile[random.integer(0, hostile.length - 1)] = random.integer(0, 255);
      expect(unpackLz4Frame(hostile, 3000).bytes.length).toBeLessThanOrEqual(3000);
    }
  });
});

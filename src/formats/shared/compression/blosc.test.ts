import { deflateSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { packLz4Frame } from '#test/support/lz4-frame';
import { rounds } from '#test/support/tiers';
import { unpackBlosc, unsupportedBloscCodec } from './blosc.ts';

const plain = Uint8Array.from({ length: 4096 }, (_, i) => (i >> 3) & 255);

interface Frame {
  readonly codec?: number;
  readonly flags?: number;
  readonly width?: number;
  readonly size?: number;
  readonly blockSize?: number;
  readonly stream?: Uint8Array;
}

/** A frame of one block that is not split (flag 0x10). */
function frameOf({
  codec = 4,
  flags = 0x10,
  width = 1,
  size = plain.length,
  blockSize = size,
  stream,
}: Frame): Buffer {
  const body = stream ?? zstdCompressSync(plain);
  const frame = Buffer.alloc(24 + body.length);
  frame.set([2, 1, (codec << 5) | flags, width]);
  frame.writeUInt32LE(size, 4);
  frame.writeUInt32LE(blockSize, 8);
  frame.writeUInt32LE(frame.length, 12);
  frame.writeUInt32LE(20, 16);
  frame.writeInt32LE(body.length, 20);
  frame.set(body, 24);
  return frame;
}

/** The block of a frame of one block: behind the header of 7 bytes and its own length. */
const lz4Block = (bytes: Uint8Array) => packLz4Frame(bytes).subarray(11, -4);

/** Bytes of elements sorted by their place, as a writer does it. */
function shuffled(bytes: Uint8Array, width: number): Uint8Array {
  const n = bytes.length / width;
  return bytes.map((_, i) => bytes[(i % n) * width + Math.floor(i / n)]);
}

describe('blosc frames', () => {
  it.each([
    ['zstd', 4, zstdCompressSync(plain)],
    ['zlib', 3, deflateSync(plain)],
    ['lz4', 1, lz4Block(plain)],
  ])('of %s are unpacked', (_, codec, stream) => {
    expect(unpackBlosc(frameOf({ codec, stream }), plain.length)).toEqual(plain);
  });

  it('put the bytes of elements back together', () => {
    const stream = zstdCompressSync(shuffled(plain, 4));
    expect(unpackBlosc(frameOf({ stream, flags: 0x11, width: 4 }), plain.length)).toEqual(plain);
  });

  it('may hold the bytes as they are', () => {
    const frame = Buffer.concat([frameOf({ flags: 0x12, stream: plain }).subarray(0, 16), plain]);
    frame.writeUInt32LE(frame.length, 12);
    expect(unpackBlosc(frame, plain.length)).toEqual(plain);
  });

  it('name a codec that is not read', () => {
    expect(unsupportedBloscCodec(frameOf({ codec: 0 }))).toBe('blosc with blosclz');
    expect(unsupportedBloscCodec(frameOf({ codec: 7 }))).toBe('blosc with codec 7');
    expect(unsupportedBloscCodec(frameOf({}))).toBeNull();
  });

  it.each([
    ['another size', frameOf({ size: 5000 })],
    ['no block size', frameOf({ blockSize: 0 })],
    ['more blocks than it has places for', frameOf({ blockSize: 1 })],
    ['a stream that gives too little', frameOf({ stream: zstdCompressSync(plain.subarray(1)) })],
    ['a stream that gives too much', frameOf({ stream: zstdCompressSync(new Uint8Array(1e6)) })],
    ['a cut', frameOf({}).subarray(0, -9)],
  ])('with %s are refused', (_, frame) => {
    expect(() => unpackBlosc(frame, plain.length)).toThrow();
  });

  it('spoiled at random end in bytes or an error', () => {
    const random = seededRandom(5);
    const good = [
      frameOf({}),
      frameOf({ codec: 1, stream: lz4Block(plain) }),
      frameOf({ flags: 0x14, width: 8 }),
    ];
    for (let round = 0; round < rounds(100, 6000); round++) {
      const frame = Buffer.from(good[round % good.length]);
      for (let i = 0; i < 3; i++) frame[Math.floor(random.next() * 40)] = Math.floor(random.next() * 256);
      try {
        expect(unpackBlosc(frame, plain.length)).toHaveLength(plain.length);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Error);
      }
    }
  });
});

import { describe, expect, it } from 'vitest';
import { PictureFinder } from './requested-pictures.ts';

/** Offers units at 10 Hz, keys at every fifth; answers the first byte of each that is kept. */
function keptOf(at_s: number, units: number, isVideo: boolean, keyEvery = 5, bytes = 10): number[] {
  const wanted = new PictureFinder('/camera', at_s * 1e9);
  for (let i = 0; i < units; i++) {
    const log_ns = i * 1e8 + 0.4;
    const unit = () => new Uint8Array(bytes).fill(i % 256);
    wanted.offer({ log_ns, isKey: i % keyEvery === 0, bytes: unit, layout: null }, isVideo);
  }
  expect(wanted.found).toBe(wanted.pictures.length > 0);
  return wanted.pictures.map((picture) => picture.bytes[0]);
}

describe('waiting for one picture', () => {
  it('keeps a still one alone', () => {
    expect(keptOf(0.7, 20, false)).toEqual([7]);
  });

  it('keeps of compressed video what decoding it needs, from the last key on', () => {
    expect(keptOf(0.7, 20, true)).toEqual([5, 6, 7]);
    expect(keptOf(1, 20, true)).toEqual([10]);
  });

  it('keeps nothing of a time at which there was none', () => {
    expect(keptOf(0.75, 20, true)).toEqual([]);
    expect(keptOf(9, 20, true)).toEqual([]);
  });

  it('numbers what it keeps, so that a decoder takes it for one run', () => {
    const wanted = new PictureFinder('/camera', 3e8);
    for (let i = 0; i < 4; i++)
      wanted.offer({ log_ns: i * 1e8, isKey: i === 0, bytes: () => new Uint8Array(1), layout: null }, true);
    expect(wanted.pictures.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });

  it('lets go of a run of packets too long to be held, and leaves it to the decoder to say what is missing', () => {
    expect(keptOf(390, 4000, true, 100_000)).toEqual([3900 % 256]);
  });
});

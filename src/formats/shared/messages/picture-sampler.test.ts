import { describe, expect, it } from 'vitest';
import { PictureSampler, VideoSampler } from './picture-sampler.ts';
import { isKeyUnit, pictureEncoding, pictureStart } from './sinks/picture-sink.ts';

const picture = (index: number, bytes = 10, group = 0) => ({
  index,
  bytes: new Uint8Array(bytes),
  layout: null,
  group,
});

function sampled(count: number, bytes = 10, limits = { pictures: 24, bytes: 1e9 }): number[] {
  const sampler = new PictureSampler(limits);
  for (let i = 0; i < count; i++) if (sampler.accepts(i)) sampler.add(picture(i, bytes));
  return sampler.pictures.map(({ index }) => index);
}

describe('keeping a few pictures of a stream of unknown length', () => {
  it('keeps all of a short one', () => {
    expect(sampled(24)).toHaveLength(24);
  });

  it.each([25, 100, 1000, 12_345])('keeps pairs of neighbours spread evenly over %i', (count) => {
    const held = sampled(count);
    expect(held.length).toBeGreaterThanOrEqual(Math.min(12, count / 2));
    expect(held.length).toBeLessThanOrEqual(24);
    const firsts = held.filter((_, i) => i % 2 === 0);
    for (const [i, first] of firsts.entries()) {
      if (2 * i + 1 < held.length) expect(held[2 * i + 1]).toBe(first + 1);
      expect(first).toBe(i * (firsts[1] - firsts[0]));
    }
    expect(held.at(-1)).toBeGreaterThan(count * 0.75);
  });

  it('keeps to its bytes', () => {
    const held = sampled(1000, 1000, { pictures: 24, bytes: 8000 });
    expect(held.length).toBeLessThanOrEqual(8);
    expect(held.length).toBeGreaterThanOrEqual(4);
  });
});

describe('keeping groups of pictures of a video', () => {
  function run(units: number, distance: number, bytes = 10, limit = 1e9) {
    const sampler = new VideoSampler({ pictures: 24, bytes: limit });
    for (let i = 0; i < units; i++)
      if (sampler.accepts(i % distance === 0)) sampler.add(picture(i, bytes, sampler.group));
    return sampler.pictures.map(({ index }) => index);
  }

  it('keeps whole runs that start at a keyframe, spread over the stream', () => {
    const held = run(3000, 30);
    const starts = held.filter((index, i) => i === 0 || held[i - 1] !== index - 1);
    for (const start of starts) expect(start % 30).toBe(0);
    expect(starts.length).toBeGreaterThanOrEqual(3);
    expect(starts.length).toBeLessThanOrEqual(6);
    expect(held.at(-1)).toBeGreaterThan(1500);
  });

  it('keeps the start of a group that never ends', () => {
    const held = run(5000, 100_000);
    expect(held).toEqual(Array.from({ length: held.length }, (_, i) => i));
    expect(held.length).toBeLessThanOrEqual(48);
  });

  it('keeps to its bytes, and nothing before the first keyframe', () => {
    expect(run(3000, 30, 1000, 50_000).length).toBeLessThanOrEqual(51);
    const sampler = new VideoSampler({ pictures: 24, bytes: 1e9 });
    expect([sampler.accepts(false), sampler.accepts(true), sampler.accepts(false)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('telling what a picture payload is', () => {
  it('believes the first bytes before the name', () => {
    expect(pictureEncoding(Uint8Array.of(0xff, 0xd8, 0xff), 'png')).toBe('jpeg');
    expect(pictureEncoding(Uint8Array.of(0, 0, 0, 1, 0x67), 'h264')).toBe('h264');
    expect(pictureEncoding(Uint8Array.of(1, 2, 3), 'rgb8; jpeg compressed bgr8')).toBe('jpeg');
    expect(pictureEncoding(Uint8Array.of(1, 2, 3), 'something')).toBe('unknown');
  });

  it('finds the PNG behind the header of compressedDepth', () => {
    const payload = Uint8Array.of(...new Array<number>(12).fill(1), 0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0);
    expect(pictureStart(payload, '16UC1; compressedDepth png')).toBe(12);
    expect(pictureStart(payload, '16UC1; png')).toBe(0);
  });

  it.each([
    ['h264', [0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x65, 1, 1], [0, 0, 0, 1, 0x41, 1, 1, 1]],
    ['h265', [0, 0, 0, 1, 0x40, 1, 0, 0, 1, 0x26, 1, 1], [0, 0, 0, 1, 0x02, 1, 1, 1]],
    ['av1', [0x12, 0, 0x0a, 1, 0, 0x32, 1, 0], [0x12, 0, 0x32, 1, 0, 0, 0, 0]],
    ['vp9', [0x82, 0x49, 0x83, 0x42], [0x86, 0, 0, 0]],
  ] as const)('finds keyframes of %s', (encoding, key, other) => {
    expect(isKeyUnit(Uint8Array.from(key), encoding)).toBe(true);
    expect(isKeyUnit(Uint8Array.from(other), encoding)).toBe(false);
  });
});

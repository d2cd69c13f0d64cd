import { describe, expect, it } from 'vitest';
import { discardedChanges, findUnchangedRuns } from './unchanged-runs.ts';

const span = (bytes: readonly number[], isKey: (i: number) => boolean) => ({
  count: bytes.length,
  key: Uint8Array.from(bytes, (_, i) => (isKey(i) ? 1 : 0)),
  bytes: Int32Array.from(bytes),
  pixels: 320 * 240,
});
const sizes = (count: number, at: (i: number) => number) => Array.from({ length: count }, (_, i) => at(i));

describe('runs of packets without a change', () => {
  it('have next to nothing in dependent packets, whatever the key frames between them cost', () => {
    const bytes = sizes(60, (i) => (i % 15 === 0 ? 5000 + i : i > 20 && i <= 40 ? 12 : 400));
    expect(
      findUnchangedRuns(
        span(bytes, (i) => i % 15 === 0),
        6,
      ),
    ).toEqual([{ from: 21, to: 40, before_gaps: [] }]);
  });

  it('repeat the sizes of both kinds of packets where every second frame is a key', () => {
    const isFrozen = (i: number) => i > 20 && i <= 40;
    const bytes = sizes(60, (i) => {
      if (i % 2 === 0) return isFrozen(i) ? 5000 : 5000 + 170 * i;
      return isFrozen(i) ? 94 : 94 + i;
    });
    const [{ from, to }] = findUnchangedRuns(
      span(bytes, (i) => i % 2 === 0),
      6,
    );
    expect(from).toBeLessThanOrEqual(25);
    expect(to).toBe(40);
  });

  it('repeat the size exactly where every frame is a key', () => {
    const bytes = sizes(60, (i) => (i > 20 && i <= 40 ? 5000 : 5000 + i));
    expect(
      findUnchangedRuns(
        span(bytes, () => true),
        6,
      ),
    ).toEqual([{ from: 22, to: 40, before_gaps: [] }]);
  });

  it('go on over the packets that refine a picture, and say where', () => {
    const bytes = sizes(60, (i) => (i === 0 ? 5000 : i > 20 && i <= 40 && i !== 30 ? 12 : 400));
    expect(
      findUnchangedRuns(
        span(bytes, (i) => i === 0),
        6,
      ),
    ).toEqual([{ from: 21, to: 40, before_gaps: [29] }]);
  });

  it('are not lost among sizes that repeat by chance', () => {
    const bytes = sizes(60, (i) =>
      i > 20 && i <= 40 ? 649 : 620 + 3 * Math.floor(i / 2 - (i % 4 === 3 ? 0 : (i % 2) / 2)),
    );
    const runs = findUnchangedRuns(
      span(bytes, () => true),
      6,
    );
    expect(runs.some(({ from, to }) => from === 22 && to >= 40)).toBe(true);
  });
});

describe('changes that an encoder may discard', () => {
  const everySecond = (i: number) => i % 2 === 0;
  const of = (keyBytes: number, isKey: (i: number) => boolean) => [
    ...discardedChanges(
      span(
        sizes(5, (i) => (isKey(i) ? keyBytes : 50)),
        isKey,
      ),
    ),
  ];

  it('are those of frames between close key frames, all of them in a coarse video', () => {
    expect(of(5000, everySecond)).toEqual([0, 16, 0, 16, 0]);
    expect(of(1500, everySecond)).toEqual([0, Infinity, 0, Infinity, 0]);
  });

  it('are none in longer groups, and none where every frame is a key', () => {
    expect(of(1500, (i) => i === 0)).toEqual([0, 0, 0, 0, 0]);
    expect(of(1500, () => true)).toEqual([0, 0, 0, 0, 0]);
  });
});

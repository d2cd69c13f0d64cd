import { describe, expect, it } from 'vitest';
import { findStillSpans } from './still-spans.ts';

/** Frames of one block with these levels; `isKey`: which ones are coded anew. */
const frames = (levels: readonly number[], isKey: (i: number) => boolean = (i) => i === 0) =>
  levels.map((level, index) => ({
    index,
    time_s: index / 30,
    key: isKey(index),
    discards_up_to: 0,
    blocks: Float32Array.of(level),
  }));
const levels = (count: number, at: (i: number) => number) => Array.from({ length: count }, (_, i) => at(i));

describe('spans of one picture', () => {
  it('last from the last new picture to the next one', () => {
    const frozen = levels(60, (i) => (i < 20 ? 5 * i : i <= 40 ? 100 : 5 * i));
    expect(findStillSpans(frames(frozen))).toEqual([{ from: 20, to: 40 }]);
  });

  it('include the frames in which an encoder refines the picture after motion', () => {
    const refined = [4, 3.5, 2.5, 2, 1.7, 1.2, 0.8, 0.4];
    const frozen = levels(60, (i) => (i < 20 ? 20 * i : i <= 40 ? 400 + (refined[i - 20] ?? 0) : 20 * i));
    expect(findStillSpans(frames(frozen))).toEqual([{ from: 20, to: 40 }]);
  });

  it('go on where a key frame codes the picture anew, after a long group and after short ones', () => {
    const atKey = (key: number) =>
      levels(60, (i) => (i < 20 ? 20 * i : i < key ? 400 : i <= 44 ? 409 : 20 * i));
    expect(findStillSpans(frames(atKey(30), (i) => i % 15 === 0))).toEqual([{ from: 20, to: 44 }]);
    expect(findStillSpans(frames(atKey(30), (i) => i % 2 === 0))).toEqual([{ from: 20, to: 44 }]);
  });

  it('are none where the picture drifts, in a short pause, or where frames were not decoded', () => {
    expect(findStillSpans(frames(levels(90, (i) => 0.7 * i)))).toEqual([]);
    expect(findStillSpans(frames(levels(60, (i) => (i < 20 ? 5 * i : i <= 30 ? 100 : 5 * i))))).toEqual([]);
    const sampled = frames(levels(12, () => 100)).map((frame) => ({
      ...frame,
      index: 30 * Math.floor(frame.index / 3) + (frame.index % 3),
      time_s: Math.floor(frame.index / 3) + (frame.index % 3) / 30,
    }));
    expect(findStillSpans(sampled)).toEqual([]);
  });

  it('keep a rest apart from a freeze that follows a short movement', () => {
    const shown = levels(70, (i) => (i < 30 ? 50 : i < 35 ? 50 + 2 * (i - 29) : i < 60 ? 60 : 200));
    expect(findStillSpans(frames(shown))).toEqual([
      { from: 0, to: 29 },
      { from: 34, to: 59 },
    ]);
  });
});

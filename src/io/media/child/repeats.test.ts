import { describe, expect, it } from 'vitest';
import { repeatFacts } from './repeats.ts';

const frames = (
  motion: readonly number[],
  equal: (i: number) => boolean = (i) => motion[i] === 0,
  shown: (i: number) => number = () => 0,
) =>
  motion.map((each, index) => ({
    index,
    time_s: index,
    equal: index === 0 ? null : equal(index),
    motion: index === 0 ? Number.NaN : each,
    grid: Uint8Array.of(shown(index)),
  }));
const motionOf = (count: number, at: (i: number) => number) => Array.from({ length: count }, (_, i) => at(i));

describe('runs of repeats', () => {
  it('are listed longest first, at most sixteen, and counted all', () => {
    const third = frames(motionOf(100, (i) => (i % 3 === 0 ? 7 : 0)));
    const { pairs_compared, pairs_equal, runs } = repeatFacts(third, 'payload', false);
    expect({ pairs_compared, pairs_equal }).toEqual({ pairs_compared: 99, pairs_equal: 66 });
    expect(runs).toHaveLength(16);
    expect(runs[0]).toEqual({ from_s: 0, to_s: 2, frames: 2, leap: 7 });
    expect(repeatFacts(frames([0, 9, 0, 0]), 'payload', false).runs).toEqual([
      { from_s: 1, to_s: 3, frames: 2, leap: null },
    ]);
  });
});

describe('places of repeats', () => {
  it('are all there in order of time, also where a coder makes few of them equal', () => {
    const third = motionOf(100, (i) => (i % 3 === 0 ? 30 : 1.4));
    const { places, place_count, runs } = repeatFacts(frames(third), 'every_frame', true);
    expect(runs).toHaveLength(1);
    expect([places.length, place_count]).toEqual([32, 32]);
    expect(places.slice(0, 2)).toEqual([
      [3, 5],
      [6, 8],
    ]);
  });

  it('are spread over all of the recording where they are too many', () => {
    const half = frames(motionOf(3000, (i) => (i % 2 === 0 ? 7 : 0)));
    const { places, place_count } = repeatFacts(half, 'payload', false);
    expect([places.length, place_count]).toEqual([200, 1500]);
    const firsts = places.map(([from]) => from);
    expect([firsts[0], firsts.at(-1)]).toEqual([0, 2998]);
    const steps = firsts.slice(1).map((from, i) => from - firsts[i]);
    expect(Math.max(...steps)).toBeLessThanOrEqual(16);
  });
});

describe('repeats within motion', () => {
  const inMotion = (motion: readonly number[]) => repeatFacts(frames(motion), 'every_frame', true).in_motion;

  it('are told with their rhythm, also where coding changes them beside a key frame', () => {
    const third = motionOf(100, (i) => (i % 3 === 0 ? 30 : i % 2 === 0 ? 1.4 : 0));
    expect(inMotion(third)).toMatchObject({ equal: 64, every: 3 });
    expect(inMotion(motionOf(100, (i) => (i % 2 === 0 ? 30 : 1.4)))).toMatchObject({ every: 2 });
  });

  it('are none where nothing moves, however equal the coder made its neighbours', () => {
    expect(inMotion(motionOf(100, (i) => (i % 2 === 0 ? 1.1 : 0)))).toEqual({
      pairs: 0,
      equal: 0,
      every: null,
    });
  });

  it('are none where motion begins, ends or slows down', () => {
    const strokes = motionOf(200, (i) => (i % 40 < 20 ? 0 : 20 * Math.sin((Math.PI * (i % 20)) / 19)));
    expect(inMotion(strokes)?.equal).toBeLessThanOrEqual(5);
    expect(inMotion(motionOf(100, (i) => 12 + 6 * Math.sin(i / 3)))).toMatchObject({ equal: 0, every: 1 });
  });

  it('are not told across frames that were not decoded', () => {
    const apart = frames([0, 30, 0, 30, 0, 30]).map((frame) => ({
      ...frame,
      index: 5 * frame.index,
    }));
    expect(repeatFacts(apart, 'sampled', true).in_motion?.equal).toBe(0);
  });

  it('are told of a stall that the picture leaps behind, and not of a pause', () => {
    const stall = motionOf(40, (i) => (i > 10 && i < 18 ? (i % 2 === 0 ? 1 : 0) : i === 18 ? 80 : 10));
    const in30ths = frames(stall).map((frame) => ({ ...frame, time_s: frame.index / 30 }));
    expect(repeatFacts(in30ths, 'every_frame', true).in_motion?.equal).toBe(7);
    const pause = motionOf(40, (i) => (i > 10 && i < 18 ? 0 : 5));
    expect(inMotion(pause)?.equal).toBe(0);
  });

  it('have no rhythm of their own where they come now and then', () => {
    const bursts = motionOf(120, (i) => (i % 30 > 0 && i % 30 < 5 ? 0 : 25));
    expect(inMotion(bursts)).toMatchObject({ every: 1 });
  });
});

describe('a picture that stands still while its encoder refines it', () => {
  const runs = (motion: readonly number[], shown?: (i: number) => number) =>
    repeatFacts(
      frames(motion, () => false, shown),
      'every_frame',
      true,
    ).runs;
  const still = [6, 6, 6, 1.7, 0.4, 0, 0.9, 0.2];

  it('is one run, however its neighbours differ, where it leaps behind it', () => {
    expect(runs([...still, 60, 5, 5, 5])).toEqual([{ from_s: 2, to_s: 7, frames: 5, leap: 60 }]);
  });

  it('is none where it drifts, where nothing moved before, or where motion sets in', () => {
    const drift = [6, 6, 6, 3, 3, 3, 3, 3, 60, 5, 5];
    expect(runs(drift, (i) => 3 * i)).toEqual([]);
    expect(runs([0, 1, 1, 1, 1, 1, 1, 60, 5, 5])).toEqual([]);
    expect(runs([...still, 20, 18, 15])).toEqual([]);
  });
});

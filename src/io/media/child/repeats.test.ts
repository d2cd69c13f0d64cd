import { describe, expect, it } from 'vitest';
import { repeatFacts, videoRepeatFacts } from './repeats.ts';

/** Frames of one block that changes by `motion` each; `isKey`: which ones are coded anew. */
function frames(motion: readonly number[], isKey: (i: number) => boolean = (i) => i === 0) {
  let level = 0;
  return motion.map((change, index) => {
    if (index > 0) level += change;
    return {
      index,
      time_s: index / 30,
      equal: index === 0 ? null : change === 0,
      motion: index === 0 ? Number.NaN : change,
      blocks: Float32Array.of(level),
      key: isKey(index),
      discards_up_to: !isKey(index) && isKey(index - 1) && isKey(index + 1) ? 16 : 0,
    };
  });
}
const motionOf = (count: number, at: (i: number) => number) => Array.from({ length: count }, (_, i) => at(i));
const video = (motion: readonly number[], isKey?: (i: number) => boolean) =>
  videoRepeatFacts(frames(motion, isKey), 'every_frame');

describe('runs of repeats', () => {
  it('are listed longest first, at most two hundred, and all are counted', () => {
    const third = frames(motionOf(900, (i) => (i % 3 === 0 ? 7 : 0)));
    const { pairs_compared, pairs_equal, runs } = repeatFacts(third, 'payload');
    expect({ pairs_compared, pairs_equal }).toEqual({ pairs_compared: 899, pairs_equal: 600 });
    expect(runs).toHaveLength(200);
    expect(runs[0]).toMatchObject({ from_s: 0, to_s: 2 / 30, frames: 2, equal: 2, leap: 7 });
    const last = repeatFacts(frames([0, 9, 0, 0]), 'payload').runs;
    expect(last).toMatchObject([{ from_s: 1 / 30, to_s: 0.1, frames: 2, motion_before: 9, leap: null }]);
  });
});

describe('places of repeats', () => {
  it('are all there in order of time, also where a coder makes few of them equal', () => {
    const { places, place_count } = video(motionOf(100, (i) => (i % 3 === 0 ? 30 : 1.4)));
    expect([places.length, place_count]).toEqual([32, 32]);
    expect(places.slice(0, 2)).toEqual([
      [3 / 30, 5 / 30],
      [6 / 30, 8 / 30],
    ]);
  });

  it('are spread over all of the recording where they are too many', () => {
    const half = frames(motionOf(3000, (i) => (i % 2 === 0 ? 7 : 0)));
    const { places, place_count } = repeatFacts(half, 'payload');
    expect([places.length, place_count]).toEqual([200, 1500]);
    const firsts = places.map(([from]) => Math.round(30 * from));
    expect([firsts[0], firsts.at(-1)]).toEqual([0, 2998]);
    const steps = firsts.slice(1).map((from, i) => from - firsts[i]);
    expect(Math.max(...steps)).toBeLessThanOrEqual(16);
  });
});

describe('repeats within motion', () => {
  it('are found with their rhythm, also where coding changes them beside a key frame', () => {
    const third = motionOf(100, (i) => (i % 3 === 0 ? 30 : i % 2 === 0 ? 1.4 : 0));
    expect(video(third).in_motion).toMatchObject({ equal: 64, every: 3 });
    expect(video(motionOf(100, (i) => (i % 2 === 0 ? 30 : 1.4))).in_motion).toMatchObject({ every: 2 });
    const fourFifths = motionOf(100, (i) => (i % 5 === 4 ? 0 : 6));
    expect(video(fourFifths).in_motion).toMatchObject({ equal: 19, every: 1, one_in: 5 });
  });

  it('are none where nothing moves, however equal the coder made its neighbours', () => {
    const { in_motion } = video(motionOf(100, (i) => (i % 2 === 0 ? 1.1 : 0)));
    expect(in_motion).toEqual({ pairs: 0, equal: 0, every: null, one_in: null, discarded: 0 });
  });

  it('are none where motion begins, ends or slows down', () => {
    const strokes = motionOf(200, (i) => (i % 40 < 20 ? 0 : 20 * Math.sin((Math.PI * (i % 20)) / 19)));
    expect(video(strokes).in_motion?.equal).toBeLessThanOrEqual(5);
    const slows = motionOf(100, (i) => 12 + 6 * Math.sin(i / 3));
    expect(video(slows).in_motion).toMatchObject({ equal: 0, every: 1 });
  });

  it('are not looked for across frames that were not decoded', () => {
    const apart = frames([0, 30, 0, 30, 0, 30]).map((frame) => ({ ...frame, index: 5 * frame.index }));
    expect(videoRepeatFacts(apart, 'sampled').in_motion?.equal).toBe(0);
  });

  it('are a stall that the picture leaps after, and not a pause', () => {
    const stall = motionOf(40, (i) => (i > 10 && i < 18 ? (i % 2 === 0 ? 1 : 0) : i === 18 ? 80 : 14));
    expect(video(stall).in_motion?.equal).toBe(7);
    const pause = motionOf(40, (i) => (i > 10 && i < 18 ? 0 : 5));
    expect(video(pause).in_motion?.equal).toBe(0);
  });

  it('have no rhythm of their own where they come now and then', () => {
    const bursts = motionOf(120, (i) => (i % 30 > 0 && i % 30 < 5 ? 0 : 25));
    expect(video(bursts).in_motion).toMatchObject({ every: 1 });
  });
});

describe('changes that an encoder may have discarded', () => {
  const everySecond = (i: number) => i % 2 === 0;

  it('are no repeats between key frames that follow each other closely, unless much moves', () => {
    const slow = video(
      motionOf(100, (i) => (everySecond(i) ? 12 : 0)),
      everySecond,
    );
    expect(slow.in_motion).toMatchObject({ equal: 0, discarded: 48 });
    const fast = video(
      motionOf(100, (i) => (everySecond(i) ? 30 : 0)),
      everySecond,
    );
    expect(fast.in_motion).toMatchObject({ equal: 48, every: 2, discarded: 0 });
  });

  it('are no repeats where little moves and they come irregularly', () => {
    const irregular = motionOf(100, (i) => ([3, 10, 20, 41, 46, 60, 77, 91].includes(i) ? 0 : 7));
    expect(video(irregular).in_motion).toMatchObject({ equal: 0, discarded: 8 });
  });
});

describe('spans of one picture', () => {
  it('end in a leap only if the picture catches up', () => {
    const still = [...motionOf(10, () => 6), ...motionOf(15, (i) => (i === 0 ? 1.2 : i === 7 ? 0.8 : 0))];
    const [frozen] = video([...still, 60, 5, 5, 5]).runs;
    expect(frozen).toMatchObject({ from_s: 9 / 30, to_s: 24 / 30, frames: 15, motion_before: 6, leap: 54 });
    const [rest] = video([...still, 20, 18, 15, 10]).runs;
    expect(rest).toMatchObject({ leap: 2 });
    const [toTheEnd] = video(still).runs;
    expect(toTheEnd).toMatchObject({ leap: null });
  });

  it('do not leap at a key frame that codes the picture anew', () => {
    const still = motionOf(40, (i) => (i < 10 ? 6 : i === 26 ? 11 : i < 32 ? 0 : 6));
    const runs = video(still, (i) => i % 26 === 0).runs;
    expect(runs).toMatchObject([{ frames: 22, leap: 0 }]);
  });
});

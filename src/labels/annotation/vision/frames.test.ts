import { describe, expect, it } from 'vitest';
import { collect } from '#test/support/collect';
import type { FrameBatch, LaneFrame } from '../lane.ts';
import { CameraNotes, evenTimes, FrameSampler, framesByWindow } from './frame-selection.ts';

const frame = (time_s: number): LaneFrame => ({
  ...{ camera: 'top', row: Math.round(time_s * 10), time_s, width_px: 1, height_px: 1 },
  ...{ stored_px: [1, 1], rgb: new Uint8Array(3) },
});

/** Frames in batches of three. */
async function* batches(times_s: readonly number[]): AsyncGenerator<FrameBatch> {
  for (let from = 0; from < times_s.length; from += 3)
    yield {
      ...{ camera: 'top', frames: times_s.slice(from, from + 3).map(frame), missing: [], unreadable: null },
    };
}
const tenths = Array.from({ length: 100 }, (_, i) => i / 10);
const timesOf = (frames: readonly LaneFrame[]) => frames.map(({ time_s }) => time_s);

async function byWindow(windows: readonly { from_s: number; to_s: number }[], times_s = tenths) {
  const found = await collect(framesByWindow(windows, batches(times_s), new CameraNotes()));
  expect(found.map(({ window }) => window)).toEqual(windows);
  return found.map(({ frames }) => timesOf(frames));
}

describe('frames of windows', () => {
  it('are shared out without one being lost or told twice', async () => {
    const windows = [0, 2.5, 5, 7.5].map((from_s) => ({ from_s, to_s: from_s + 2.5 }));
    const shared = await byWindow(windows);
    expect(shared.flat()).toEqual(tenths);
    for (const [at, own] of shared.entries())
      for (const time_s of own) expect(Math.floor(time_s / 2.5)).toBe(at);
  });

  it('are only those within, where windows lie apart', async () => {
    const [first, second] = await byWindow([
      { from_s: 1, to_s: 1.3 },
      { from_s: 5, to_s: 5.2 },
    ]);
    expect(first).toEqual([1, 1.1, 1.2]);
    expect(second).toEqual([5, 5.1, 5.2]);
  });

  it('begin a little before a window, and no more', async () => {
    const [own] = await byWindow([{ from_s: 0.25, to_s: 4.25 }]);
    expect(own[0]).toBe(0.1);
  });

  it('may be none, of a window that no frame falls into and of a recording without frames', async () => {
    const windows = [
      { from_s: 0, to_s: 1 },
      { from_s: 20, to_s: 30 },
    ];
    expect((await byWindow(windows)).map(({ length }) => length)).toEqual([10, 0]);
    expect(await byWindow(windows, [])).toEqual([[], []]);
  });

  it('take the picture of a window without length', async () => {
    expect(await byWindow([{ from_s: 0, to_s: 0 }], [0])).toEqual([[0]]);
  });
});

describe('frames near times', () => {
  async function near(times_s: readonly number[], given = tenths) {
    const frames = new FrameSampler(times_s);
    const passed = await collect(frames.collectFrom(batches(given)));
    expect(passed.flatMap((batch) => timesOf(batch.frames))).toEqual(given);
    return timesOf(frames.found);
  }

  it('are the first from each time on', async () => {
    expect(await near(evenTimes(0, 10, 4))).toEqual([1.3, 3.8, 6.3, 8.8]);
  });

  it('are each there once, however many times ask for them', async () => {
    expect(await near([0.1, 0.15, 0.2, 4], [0, 3, 6])).toEqual([3, 6]);
  });

  it('are the last one where all are earlier, and none where there is none', async () => {
    expect(await near([50, 60])).toEqual([9.9]);
    expect(await near([1], [])).toEqual([]);
  });
});

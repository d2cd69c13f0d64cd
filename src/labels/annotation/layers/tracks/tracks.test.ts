import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { PointFlow } from '#labels/models';
import { plainFrame } from '#test/support/lane-frames';
import type { Detection } from '../../vision/detection.ts';
import { assignPairs, ByteTrack } from './byte-track.ts';
import { CameraTracks, readLabelledBoxes } from './lane.ts';

const person = (left: number, score = 0.8, label = 'person'): Detection => ({
  ...{ label, score },
  box: [left, 20, 40, 100],
});

describe('pairing', () => {
  it('has the least sum of costs that any pairing has', () => {
    const random = seededRandom(3);
    for (let round = 0; round < 100; round++) {
      const [rows, columns] = [random.integer(1, 5), random.integer(1, 5)];
      const costs = Array.from({ length: rows }, () =>
        Array.from({ length: columns }, () => random.between(0, 1)),
      );
      const pairs = assignPairs(costs, 2);
      expect(pairs).toHaveLength(Math.min(rows, columns));
      expect(pairs.reduce((sum, [row, column]) => sum + costs[row][column], 0)).toBeCloseTo(
        leastSum(costs),
        9,
      );
    }
  });

  it('leaves out what costs too much', () => {
    expect(
      assignPairs(
        [
          [0.9, 0.2],
          [0.1, 0.95],
        ],
        0.5,
      ),
    ).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(assignPairs([[0.9], [0.8]], 0.5)).toEqual([]);
    expect(assignPairs([], 1)).toEqual([]);
  });
});

/** Returns the minimum total cost by trying all assignments. */
function leastSum(costs: readonly (readonly number[])[]): number {
  if (costs.length > costs[0].length) return leastSum(costs[0].map((_, at) => costs.map((row) => row[at])));
  const rest = (row: number, taken: ReadonlySet<number>): number =>
    row === costs.length
      ? 0
      : Math.min(
          ...costs[row].flatMap((cost, at) =>
            taken.has(at) ? [] : [cost + rest(row + 1, new Set([...taken, at]))],
          ),
        );
  return rest(0, new Set());
}

describe('tracks of boxes', () => {
  const track = (frames: readonly (readonly Detection[])[], gap = 5) => {
    const tracker = new ByteTrack(gap);
    for (const found of frames) tracker.add(found);
    return tracker
      .finish()
      .map(({ label, detections: seen }) => ({ label, frames: seen.map(({ frame }) => frame) }));
  };

  it('go on over weak boxes, and over frames without any', () => {
    const moving = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => [person(10 + 4 * at, at === 3 ? 0.15 : 0.8)]);
    moving[5] = [];
    expect(track(moving)).toEqual([{ label: 'person', frames: [0, 1, 2, 3, 4, 6, 7] }]);
  });

  it('end where they are out of sight for too long, and never change class', () => {
    const seen = [person(10)];
    expect(track([seen, seen, ...Array.from({ length: 8 }, () => []), seen, seen])).toEqual([
      { label: 'person', frames: [0, 1] },
      { label: 'person', frames: [10, 11] },
    ]);
    expect(track([seen, seen, [person(10, 0.8, 'dog')], [person(10, 0.8, 'dog')]])).toEqual([
      { label: 'person', frames: [0, 1] },
      { label: 'dog', frames: [2, 3] },
    ]);
  });

  it('do not begin with a weak box, nor with one that no other follows', () => {
    expect(track([[person(10, 0.3)], [person(10, 0.3)]])).toEqual([]);
    expect(track([[], [person(10)], [], []])).toEqual([]);
  });
});

/** Grey with texture, moved to the right. */
function textured(row: number, by_px: number) {
  const frame = plainFrame(row, [0, 0, 0], { size: [160, 120], stored_px: [320, 240] });
  for (let i = 0; i < 160 * 120; i++) {
    const [x, y] = [(i % 160) - by_px, Math.floor(i / 160)];
    const level = 128 + 50 * Math.sin(x / 3 + y / 5) + 40 * Math.cos(y / 3 - x / 7);
    frame.rgb.fill(Math.round(level), 3 * i, 3 * i + 3);
  }
  return { ...frame, time_s: row / 10 };
}

describe('a camera', () => {
  const knobs = { min_track_s: 0.3, max_gap_s: 1, rate_hz: 10 };

  it('where nothing is found follows points, in px of the stored picture', async () => {
    using flow = await PointFlow.create();
    const camera = new CameraTracks(knobs, flow);
    for (let row = 0; row < 8; row++) camera.add(textured(row, 1.5 * row), []);
    const { json, tracks, time_s, unbroken_s } = camera.summary();
    expect(json.follows).toBe('points');
    expect(tracks).toBeGreaterThan(20);
    expect(unbroken_s).toBe(time_s);
    const told = json.tracks as unknown as { point: [number, number][] }[];
    const speeds = told.map(({ point }) => (point.at(-1)![0] - point[0][0]) / (point.length - 1));
    speeds.sort((a, b) => a - b);
    // Each px of what is looked at is two of what is stored.
    expect(speeds[speeds.length >> 1]).toBeCloseTo(3, 1);
  });

  it('where something is found follows it alone, and says where its track breaks', async () => {
    using flow = await PointFlow.create();
    const steady = new CameraTracks(knobs, flow);
    const broken = new CameraTracks(knobs, flow);
    for (let row = 0; row < 8; row++) {
      steady.add(textured(row, row), [person(10)]);
      broken.add(textured(row, row), row === 4 ? [] : [person(10)]);
    }
    for (const [camera, share] of [
      [steady, 1],
      [broken, 0],
    ] as const) {
      const { json, tracks, time_s, unbroken_s } = camera.summary();
      expect([json.follows, tracks]).toEqual(['objects', 1]);
      expect(time_s).toBeCloseTo(0.7, 6);
      expect(unbroken_s / time_s).toBe(share);
    }
  });

  it('keeps no track that is shorter than asked for', async () => {
    using flow = await PointFlow.create();
    const camera = new CameraTracks({ ...knobs, min_track_s: 2 }, flow);
    for (let row = 0; row < 8; row++) camera.add(textured(row, row), [person(10)]);
    expect(camera.summary().tracks).toBe(0);
  });
});

describe('boxes of object_labels', () => {
  const artifact = (rate_hz: number) => ({
    frames: Array.from({ length: 6 }, (_, at) => ({
      ...{ camera: 'front', time_s: at / rate_hz, width_px: 320, height_px: 240 },
      boxes: [{ label: 'cup', score: 0.5, box: [1, 2, 3, 4] }],
    })),
  });

  it('are followed where they are dense enough in time', () => {
    expect(readLabelledBoxes(artifact(10))?.cameras.get('front')?.get(100)).toEqual([
      { label: 'cup', score: 0.5, box: [1, 2, 3, 4] },
    ]);
    expect(readLabelledBoxes(artifact(1))).toBeNull();
    expect(readLabelledBoxes(null)).toBeNull();
  });
});

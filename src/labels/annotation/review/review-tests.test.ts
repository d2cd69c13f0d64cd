import { expect, test } from 'vitest';
import type { JsonObject } from '#core';
import type { LayerId } from '#core/api';
import { episodeOf } from '#test/annotation/known-motion';
import { computeMetadata } from '../layers/metadata/layer.ts';
import { encodeRle } from '../vision/outliner.ts';
import { reviewEpisode } from './review-episode.ts';
import { reviewTests } from './review-registry.ts';

const episode = episodeOf([], 'teleop', 10);

/** Returns the evidence of one test on a layer, or the reason why it did not apply. */
function held(id: string, artifact: unknown, others: Partial<Record<LayerId, unknown>> = {}) {
  const { layer } = reviewTests.find((one) => one.id === id)!;
  const artifacts = { ...others, [layer]: artifact } as Record<string, JsonObject>;
  const reviewed = reviewEpisode({ facts: episode.facts, artifacts }).find((one) => one.layer === layer)!;
  return (
    reviewed.evidence.find((one) => one.test === id) ??
    reviewed.not_held.find((one) => one.test === id)!.reason
  );
}
const sound = { wrong: 0, first: null, improvement: null, at: [] };
const faulty = (looked_at: number, at: readonly number[]) => ({
  ...{ looked_at, wrong: at.length, first: expect.any(String), improvement: expect.any(String) },
  at: at.map((time_s) => ({ camera: 'top', time_s })),
});

/** Ten frames of a second; a track of an object by the left edge of its box in each frame that it is in. */
const times = Array.from({ length: 60 }, (_, at) => at / 10);
const track = (id: number, lefts: ReadonlyMap<number, number> | readonly number[], from = 0) => {
  const seen = 'entries' in lefts && lefts instanceof Map ? [...lefts] : [...(lefts as number[]).entries()];
  return {
    ...{ id, label: 'cup', frame: seen.map(([at]) => at + from) },
    box: seen.map(([, left]) => [left, 200, 40, 30]),
  };
};
const tracks = (...own: ReturnType<typeof track>[]) => ({
  cameras: [{ camera: 'top', width_px: 640, height_px: 480, frames: { time_s: times }, tracks: own }],
});
const still = (count: number) => Array.from({ length: count }, () => 200);

test('an object whose id changes over a gap is told, with the gap', () => {
  expect(held('tracks_hold_together', tracks(track(1, still(60))))).toMatchObject(sound);
  const broken = tracks(track(1, still(20)), track(2, still(20), 35));
  expect(held('tracks_hold_together', broken)).toMatchObject({
    ...faulty(2, [3.5]),
    numbers: { longest_gap_s: 1.6 },
    improvement: expect.stringContaining('longer max_gap_s'),
  });
  const elsewhere = tracks(
    track(1, still(20)),
    track(
      2,
      still(20).map((left) => left + 200),
      25,
    ),
  );
  expect(held('tracks_hold_together', elsewhere)).toMatchObject(sound);
  expect(held('tracks_hold_together', tracks())).toBe('no object is tracked');
});

test('short tracks in the middle of the picture and the recording are told', () => {
  const short = tracks(track(1, still(6), 20), track(2, still(30), 10));
  expect(held('tracks_last', short)).toMatchObject({ ...faulty(2, [2]), numbers: { median_track_s: 0.5 } });
  const atEdge = tracks(
    track(
      1,
      still(6).map(() => 2),
      20,
    ),
    track(2, still(30), 10),
  );
  expect(held('tracks_last', atEdge)).toMatchObject({ looked_at: 1, ...sound });
  expect(held('tracks_last', tracks(track(1, still(60))))).toMatchObject({ looked_at: 1, ...sound });
  expect(held('tracks_last', tracks(track(1, still(6))))).toMatch(/^no complete track/);
});

test('a box that leaps and is back at once is jitter; one that moves on is not', () => {
  const moves = Array.from({ length: 60 }, (_, at) => 20 + 8 * at);
  expect(held('tracks_move_smoothly', tracks(track(1, moves)))).toMatchObject({ looked_at: 58, ...sound });
  const turns = moves.map((left, at) => (at > 30 ? moves[60 - at] : left));
  expect(held('tracks_move_smoothly', tracks(track(1, turns)))).toMatchObject(sound);
  const leaps = moves.with(30, moves[30] + 35);
  expect(held('tracks_move_smoothly', tracks(track(1, leaps)))).toMatchObject(faulty(58, [3]));
});

test('points of hands and bodies that leap off their way are told', () => {
  const pose = (by: number) => ({
    ...{ box: [100 + by, 100, 60, 80], score: 0.9 },
    keypoints: [
      [100 + by, 100],
      [160 + by, 100],
      [130 + by, 180],
    ],
  });
  const frames = (name: string, ways: readonly number[]) => ({
    frames: ways.map((by, at) => ({ camera: 'top', time_s: at / 5, [name]: [pose(by)] })),
  });
  for (const [id, name] of [
    ['hands_move_smoothly', 'hands'],
    ['people_move_smoothly', 'people'],
  ] as const) {
    expect(held(id, frames(name, [0, 10, 20, 30]))).toMatchObject({ looked_at: 2, ...sound });
    expect(held(id, frames(name, [0, 0, 30, 0, 0]))).toMatchObject(faulty(3, [0.4]));
    expect(held(id, frames(name, [0, 5]))).toMatch(/three consecutive frames/);
  }
});

const box = (label: string, left: number) => ({ label, score: 0.8, box: [left, 10, 20, 20] });
const objects = (...boxes: ReturnType<typeof box>[][]) => ({
  frames: boxes.map((own, time_s) => ({ camera: 'top', time_s, width_px: 64, height_px: 48, boxes: own })),
});

test('an object that is missing in one frame between two is told', () => {
  const cup = [box('cup', 10)];
  expect(held('boxes_do_not_flicker', objects(cup, cup, cup))).toMatchObject({ looked_at: 1, ...sound });
  expect(held('boxes_do_not_flicker', objects(cup, [], cup))).toMatchObject(faulty(1, [1]));
  expect(held('boxes_do_not_flicker', objects(cup, [box('cup', 40)], cup))).toMatchObject(faulty(1, [1]));
  expect(held('boxes_do_not_flicker', objects(cup, [], []))).toMatch(/three frames/);
});

test('flow that does not lead back is told, less the pixels that leave the picture', () => {
  const flow = (consistent_fraction: number[], left_fraction: number[]) => {
    const from_s = consistent_fraction.map((_, at) => at / 2);
    const pairs = { from_s, to_s: from_s.map((at) => at + 0.5), consistent_fraction, left_fraction };
    return { cameras: [{ camera: 'top', pairs }] };
  };
  expect(held('flow_comes_back', flow([0.9, 0.45], [0, 0.3]))).toMatchObject({
    ...{ looked_at: 2, ...sound },
    numbers: { least_consistent_fraction: 0.6429 },
  });
  expect(held('flow_comes_back', flow([0.9, 0.3, 0.2], [0, 0, 0]))).toMatchObject(faulty(3, [0.5, 1]));
  expect(held('flow_comes_back', flow([], []))).toBe('no two frames were compared');
});

const depth = (unit: string | null, ...frames: (readonly [number, number, number, number] | null)[]) => ({
  cameras: [
    {
      ...{ camera: 'top', unit },
      frames: frames.map((own, time_s) =>
        own === null
          ? { time_s, with_depth_fraction: 0, quantiles: null }
          : { time_s, with_depth_fraction: own[0], quantiles: { p02: own[1], p50: own[2], p98: own[3] } },
      ),
    },
  ],
});

test('depth that is missing, flat, too near or too far is told', () => {
  const good = [0.9, 0.4, 1, 3] as const;
  expect(held('depth_in_range', depth('m', good, good))).toMatchObject({ looked_at: 2, ...sound });
  const spoiled = depth('m', good, null, [0.9, 1, 1, 1], [0.9, 0.0004, 0.001, 0.003], [0.9, 400, 1e3, 3e3]);
  expect(held('depth_in_range', spoiled)).toMatchObject(faulty(5, [1, 2, 3, 4]));
  expect(held('depth_in_range', depth(null, [0.9, 0.0004, 0.001, 3e5]))).toMatchObject(sound);
  expect(held('depth_in_range', depth('m'))).toBe('no depth maps');
});

test('depth that jumps for one frame is told; what comes nearer is not', () => {
  const at = (middle: number) => [0.9, middle / 2, middle, 2 * middle] as const;
  expect(held('depth_steady', depth('m', at(2), at(1.5), at(1)))).toMatchObject({ looked_at: 1, ...sound });
  expect(held('depth_steady', depth('m', at(2), at(1), at(2)))).toMatchObject(faulty(1, [1]));
  expect(held('depth_steady', depth(null, at(2), at(1), at(2)))).toMatch(/with a unit/);
});

const size = { width_px: 64, height_px: 48 };
const mask = (label: string, [left, top, width, height]: readonly [number, number, number, number]) => {
  const bits = new Uint8Array(width * height).fill(1);
  const rle = encodeRle({ left, top, width, height, bits }, size);
  return { label, pixels: width * height, rle };
};
const masks = (...labels: ReturnType<typeof mask>[][]) => ({
  frames: labels.map((own, time_s) => ({ camera: 'top', time_s, ...size, labels: own })),
});

test('masks of another size, or with other pixels than they say, are told', () => {
  const right = mask('cup', [4, 4, 10, 10]);
  expect(held('masks_fit_picture', masks([right]))).toMatchObject({ looked_at: 1, ...sound });
  const corner = mask('cup', [54, 38, 10, 10]);
  expect(held('masks_fit_picture', masks([corner]))).toMatchObject({ looked_at: 1, ...sound });
  const spoiled = [
    { ...right, pixels: 7 },
    { ...right, rle: { ...right.rle, size: [30, 30] as [number, number] } },
    { ...right, rle: { ...right.rle, counts: right.rle.counts.slice(0, 3) } },
  ];
  for (const one of spoiled) expect(held('masks_fit_picture', masks([one]))).toMatchObject(faulty(1, [0]));
});

test('a class that covers far more or less for one frame is told', () => {
  const small = mask('cup', [4, 4, 8, 8]);
  const large = mask('cup', [4, 4, 24, 24]);
  expect(held('mask_areas_steady', masks([small], [small], [large]))).toMatchObject({
    looked_at: 1,
    ...sound,
  });
  expect(held('mask_areas_steady', masks([small], [large], [small]))).toMatchObject(faulty(1, [1]));
  expect(held('mask_areas_steady', masks([small], [], [small]))).toMatch(/three consecutive frames/);
});

test('masks outside the boxes of their class are told', () => {
  const inside = masks([mask('cup', [10, 10, 20, 20])]);
  const object_labels = objects([box('cup', 10)]);
  expect(held('masks_lie_in_boxes', inside, { object_labels })).toMatchObject({
    ...{ looked_at: 1, ...sound },
    numbers: { median_within_fraction: 1 },
  });
  const beside = masks([mask('cup', [26, 10, 20, 20])]);
  expect(held('masks_lie_in_boxes', beside, { object_labels })).toMatchObject(faulty(1, [0]));
  expect(held('masks_lie_in_boxes', inside)).toMatch(/no object_labels/);
});

test('metadata that is not what was measured, or what layers saw, is told', () => {
  const { artifact } = computeMetadata(episode);
  expect(held('metadata_matches_recording', artifact)).toMatchObject(sound);
  const facts = artifact.facts as JsonObject;
  const longer = {
    ...artifact,
    facts: { ...facts, duration_s: { reason: null, status: 'told', value: 12 } },
  };
  expect(held('metadata_matches_recording', longer)).toMatchObject({
    ...{ wrong: 1, first: 'duration_s is 12, but the receipt has 10' },
  });
  const object_labels = objects([box('person', 10)], []);
  const people = { by: 'object_labels', frames: 2, frames_with: 1, most_at_once: 1 };
  const seen = { ...artifact, facts: { people_seen: { reason: null, status: 'told', value: people } } };
  expect(held('metadata_matches_layers', seen, { object_labels })).toMatchObject({ looked_at: 1, ...sound });
  const unseen = { facts: { people_seen: { reason: 'nobody looked', status: 'unknown', value: null } } };
  expect(held('metadata_matches_layers', unseen, { object_labels })).toMatchObject({ wrong: 1 });
  expect(held('metadata_matches_layers', seen)).toMatch(/has none of the layers/);
});

test('a spoiled artifact is no evidence', () => {
  for (const { id, layer } of reviewTests)
    expect([
      layer,
      held(id, { frames: 3, cameras: 'x', facts: 1, segments: 1, windows: 1, text: 1 }),
    ]).toEqual([layer, expect.any(String)]);
});

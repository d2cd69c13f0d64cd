import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import type { Stream } from '#core/episode';
import { episodeOf, knownEpisode, numbers } from '#test/annotation/known-motion';
import { segmentsOf } from '#test/annotation/segment-rows';
import type { LaneEpisode } from '../../lane.ts';
import { computeMetadata } from '../metadata/layer.ts';
import { findSegments } from './layer.ts';

const grid = (rows: number, rate_hz: number) => Float64Array.from({ length: rows }, (_, i) => i / rate_hz);
const filled = (rows: number, dims: number, at: (row: number, d: number) => number) =>
  Float64Array.from({ length: rows * dims }, (_, i) => at(Math.floor(i / dims), i % dims));
const state = (values: Float64Array, dims: number, time_s: Float64Array | null): Stream =>
  numbers('observation.state', 'state', { values, dims }, time_s);

const camera: Stream = {
  ...numbers('head', 'camera', { values: new Float64Array(0), dims: 1 }, grid(300, 30)),
  modality: 'video',
  shape: [480, 640, 3],
  sample_count: 300,
};
const { series: _, ...withoutNumbers } = camera;

/** Inputs that the lane must handle without failing, with the expected result. */
const table: readonly [
  what: string,
  episode: LaneEpisode,
  kinds: readonly string[],
  reason: string | null,
][] = [
  [
    'a worn camera alone',
    episodeOf([withoutNumbers], 'egocentric', 10),
    ['unobserved'],
    'no stream with timestamps shows motion',
  ],
  [
    'steps without time',
    episodeOf(
      [
        state(
          filled(200, 3, (i, d) => Math.sin(i / 9 + d)),
          3,
          null,
        ),
      ],
      'state-only',
      0,
    ),
    ['unobserved'],
    'no stream has timestamps',
  ],
  [
    'one sample',
    episodeOf(
      [
        state(
          filled(1, 3, () => 1),
          3,
          grid(1, 30),
        ),
      ],
      'teleop',
      0,
    ),
    ['unobserved'],
    'no two rows have different timestamps',
  ],
  [
    'no sample',
    episodeOf(
      [
        state(
          filled(0, 3, () => 1),
          3,
          grid(0, 30),
        ),
      ],
      'teleop',
      0,
    ),
    ['unobserved'],
    'no stream has timestamps',
  ],
  [
    'one stamp for all samples',
    episodeOf(
      [
        state(
          filled(50, 2, (i) => i),
          2,
          new Float64Array(50),
        ),
      ],
      'teleop',
      0,
    ),
    ['unobserved'],
    'no two rows have different timestamps',
  ],
  [
    'a frozen arm',
    episodeOf(
      [
        state(
          filled(300, 6, (_, d) => d),
          6,
          grid(300, 30),
        ),
      ],
      'teleop',
      10,
    ),
    ['still'],
    'only one segment, so no boundaries',
  ],
  [
    'an arm that rests, with the noise of its encoders',
    episodeOf([state(noise(300, 6), 6, grid(300, 30))], 'teleop', 10),
    ['still'],
    'only one segment, so no boundaries',
  ],
  [
    'numbers that are all missing',
    episodeOf(
      [
        state(
          filled(300, 6, () => Number.NaN),
          6,
          grid(300, 30),
        ),
      ],
      'teleop',
      10,
    ),
    ['unobserved'],
    'observation.state has no usable values',
  ],
];

function noise(rows: number, dims: number): Float64Array {
  const random = seededRandom(4);
  return filled(rows, dims, () => 0.3 + 0.001 * random.normal());
}

describe('the lanes on episodes with little in them', () => {
  it.each(table)('bear %s', (_what, episode, kinds, reason) => {
    const output = findSegments(episode, {});
    expect(segmentsOf(output).map(({ kind }) => kind)).toEqual(kinds);
    expect([output.quality, output.quality_reason]).toEqual([null, reason]);
    const { quality } = computeMetadata(episode);
    expect(quality).toBeGreaterThan(0);
    expect(quality).toBeLessThan(1);
  });

  it('find every rest in a million rows', () => {
    const rows = 1_000_000;
    const values = filled(rows, 3, (i, d) => (Math.floor(i / 20_000) % 2 === 0 ? 0 : Math.sin(i / 300 + d)));
    const output = findSegments(episodeOf([state(values, 3, grid(rows, 1000))], 'state-only', 1000), {
      max_segments: 200,
    });
    const rest = segmentsOf(output).filter(({ kind }) => kind === 'still');
    expect(rest).toHaveLength(25);
    expect(output.quality).toBeGreaterThan(0.2);
  });

  it.each([
    ['trembles', 0.001],
    ['flickers between two codes', 0],
  ])('see no grasp where a gripper %s', (_what, deviation) => {
    const random = seededRandom(9);
    const values = filled(300, 2, (i, d) =>
      d === 0 ? Math.sin(i / 20) : deviation > 0 ? deviation * random.normal() : random.integer(0, 1) * 0.09,
    );
    const own = { ...state(values, 2, grid(300, 30)), names: ['lift', 'gripper'] };
    const { artifact } = findSegments(episodeOf([own], 'teleop', 10), {});
    expect(artifact.grippers).toMatchObject([{ changes: 0 }]);
  });

  it('see each switching of a gripper that is open or closed', () => {
    const values = filled(300, 2, (i, d) => (d === 0 ? Math.sin(i / 20) : Number(i >= 100 && i < 200)));
    const own = { ...state(values, 2, grid(300, 30)), names: ['lift', 'gripper'] };
    const rows = segmentsOf(findSegments(episodeOf([own], 'teleop', 10), {}));
    const grasps = rows.filter(({ begins }) => begins?.type === 'gripper').map(({ from_s }) => from_s);
    expect(grasps.map((at_s) => Math.round(at_s * 10) / 10)).toEqual([3.3, 6.7]);
  });

  it('read rows in the order of their stamps', () => {
    const { facts, streams } = knownEpisode(21);
    const [own] = streams;
    const dims = own.series!.dims;
    const time_s = Float64Array.from(own.clocks[0].time_s);
    const values = Float32Array.from(own.series!.values);
    for (let i = 40; i + 1 < time_s.length; i += 40) {
      [time_s[i], time_s[i + 1]] = [time_s[i + 1], time_s[i]];
      const row = values.slice(i * dims, (i + 1) * dims);
      values.copyWithin(i * dims, (i + 1) * dims, (i + 2) * dims);
      values.set(row, (i + 1) * dims);
    }
    const swapped = { ...own, clocks: [{ ...own.clocks[0], time_s }], series: { values, dims } };
    const rows = (stream: Stream) => segmentsOf(findSegments({ facts, streams: [stream] }, {}));
    expect(rows(swapped)).toEqual(rows(own));
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, seededRandom } from '#core';
import type { Kind, Stream } from '#core/episode';
import type { LaneEpisode } from '#labels/annotation';
import { findSegments } from '../../src/labels/annotation/layers/segments/layer.ts';
import { rounds } from '../support/tiers.ts';
import { episodeOf, knownEpisode, numbers } from './known-motion.ts';
import { segmentsOf } from './segment-rows.ts';

const kinds: readonly Kind[] = ['teleop', 'egocentric', 'state-only', 'aerial-flight'];

/** Walks, leaps, rests, missing numbers, holes, repeated and swapped stamps. */
const wildEpisodes = fc
  .record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    rows: fc.integer({ min: 1, max: 800 }),
    dims: fc.integer({ min: 1, max: 5 }),
    step_s: fc.constantFrom(0.002, 1 / 30, 0.1, 1),
    missing: fc.constantFrom(0, 0, 0.02, 0.5, 1),
    holes: fc.constantFrom(0, 0.01, 0.1),
    swaps: fc.constantFrom(0, 0.05),
    kind: fc.constantFrom(...kinds),
    role: fc.constantFrom('state', 'action', 'odometry', 'imu', 'camera' as const),
  })
  .map(wildEpisode);

interface Wild {
  readonly seed: number;
  readonly rows: number;
  readonly dims: number;
  readonly step_s: number;
  readonly missing: number;
  readonly holes: number;
  readonly swaps: number;
  readonly kind: Kind;
  readonly role: Stream['role'];
}

function wildEpisode({ seed, rows, dims, step_s, missing, holes, swaps, kind, role }: Wild): LaneEpisode {
  const random = seededRandom(seed);
  const values = new Float64Array(rows * dims);
  const time_s = new Float64Array(rows);
  let now_s = random.between(-5, 5);
  let resting = false;
  for (let i = 0; i < rows; i++) {
    now_s += random.next() < holes ? random.between(0, 200 * step_s) : step_s;
    time_s[i] = now_s;
    if (random.next() < 0.03) resting = !resting;
    for (let d = 0; d < dims; d++) {
      const before = i === 0 ? 0 : values[(i - 1) * dims + d];
      const step = resting ? 0 : random.next() < 0.005 ? 100 : random.normal();
      values[i * dims + d] = (Number.isFinite(before) ? before : 0) + step;
    }
    if (random.next() < missing) values[i * dims + random.integer(0, dims - 1)] = Number.NaN;
    if (i > 0 && random.next() < swaps) [time_s[i], time_s[i - 1]] = [time_s[i - 1], time_s[i]];
  }
  const names = Array.from({ length: dims }, (_, d) => (d === dims - 1 && dims > 2 ? 'gripper' : `q${d}`));
  const stream = numbers('signal', role, { values, dims }, time_s, names);
  return episodeOf([stream], kind, now_s);
}

const configs = fc.record({
  min_duration_s: fc.constantFrom(0.2, 0.5, 2, 10),
  max_segments: fc.constantFrom(1, 3, 50, 200),
});

describe('the spans of any episode', () => {
  it('follow one another without gap or overlap, none shorter than asked, no more than asked', () => {
    fc.assert(
      fc.property(wildEpisodes, configs, (episode, config) => {
        const output = findSegments(episode, config);
        const rows = segmentsOf(output);
        const { from_s, to_s } = output.artifact as { from_s: number; to_s: number };
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.length).toBeLessThanOrEqual(config.max_segments);
        expect(output.counts.segments).toBe(rows.length);
        expect([rows[0].from_s, rows.at(-1)!.to_s]).toEqual([from_s, to_s]);
        rows.slice(1).forEach((row, i) => {
          expect(row.from_s).toBe(rows[i].to_s);
          expect(row.begins).not.toBeNull();
        });
        if (rows.length > 1)
          for (const row of rows)
            expect(row.to_s - row.from_s).toBeGreaterThanOrEqual(config.min_duration_s - 2e-6);
        for (const { begins } of rows.slice(1))
          for (const share of [begins!.strength, begins!.contrast ?? 0])
            expect(Math.abs(share - 0.5)).toBeLessThanOrEqual(0.5);
        expect(output.quality === null).toBe(output.quality_reason !== null);
        expect(() => canonicalJson(output.artifact)).not.toThrow();
      }),
      { numRuns: rounds(60, 400), seed: 7 },
    );
  });

  it('are the same bytes for the same numbers', () => {
    fc.assert(
      fc.property(wildEpisodes, (episode) => {
        const copy = structuredClone(episode);
        expect(canonicalJson(findSegments(copy, {}))).toBe(canonicalJson(findSegments(episode, {})));
      }),
      { numRuns: rounds(12, 60), seed: 8 },
    );
  });

  it('never hold a range without numbers that is as long as a span, but as a span of its own', () => {
    const { facts, streams } = knownEpisode(5);
    const [state] = streams;
    const { values, dims } = state.series!;
    const broken = Float32Array.from(values);
    broken.fill(Number.NaN, 150 * dims, 240 * dims);
    const rows = segmentsOf(
      findSegments({ facts, streams: [{ ...state, series: { values: broken, dims } }] }, {}),
    );
    const unobserved = rows.filter(({ kind }) => kind === 'unobserved');
    expect(unobserved).toHaveLength(1);
    expect(unobserved[0].from_s).toBeCloseTo(5, 6);
    expect(unobserved[0].to_s).toBeCloseTo(8, 6);
    expect(unobserved[0].speed).toBeNull();
  });
});

describe('the spans of one episode', () => {
  const spans = (episode: LaneEpisode) =>
    segmentsOf(findSegments(episode, {})).map(({ from_s, kind, begins }) => ({
      from_s,
      kind,
      type: begins?.type,
    }));
  const plain = spans(knownEpisode(11));

  it.each([4, 1 / 8, 1024])('do not depend on the unit: times %d', (scale) => {
    expect(spans(knownEpisode(11, { scale }))).toEqual(plain);
  });

  it.each([1024, -256, 65_536])('move with the clock: by %d s', (starts_s) => {
    const moved = spans(knownEpisode(11, { starts_s }));
    expect(moved.map(({ kind, type }) => [kind, type])).toEqual(plain.map(({ kind, type }) => [kind, type]));
    for (const [i, { from_s }] of moved.entries()) expect(from_s - starts_s).toBeCloseTo(plain[i].from_s, 4);
  });

  it('are few and long where that is asked', () => {
    const rows = segmentsOf(findSegments(knownEpisode(11), { min_duration_s: 4, max_segments: 3 }));
    expect(rows).toHaveLength(3);
    for (const { from_s, to_s } of rows) expect(to_s - from_s).toBeGreaterThanOrEqual(4);
  });
});

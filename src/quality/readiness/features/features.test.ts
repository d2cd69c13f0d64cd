import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#core';
import type { Clock, Stream } from '#core/episode';
import type { Check } from '../check.ts';
import { actionStateAgreement } from '../checks/action-state-agreement.ts';
import { episodeLength } from '../checks/episode-length.ts';
import { gripperActivity } from '../checks/gripper-activity.ts';
import { gripperConsistency } from '../checks/gripper-consistency.ts';
import { kinematicSanity } from '../checks/kinematic-sanity.ts';
import { signalSync } from '../checks/signal-sync.ts';
import { timelineIntegrity } from '../checks/timeline-integrity.ts';
import {
  judgeWithCheck,
  mapValues,
  numericStream,
  swingingArm,
  testEpisode,
  withTimestamps,
} from '../test-subject.ts';
import { computeClockFeatures } from './clock-features.ts';
import { computeColumnFeatures } from './column-features.ts';
import { getColumns } from './columns.ts';
import { medianInPlace, ramp, selectInPlace, selectStrongest } from './numeric.ts';

const checks: readonly Check[] = [
  timelineIntegrity,
  signalSync,
  episodeLength,
  kinematicSanity,
  actionStateAgreement,
  gripperActivity,
  gripperConsistency,
];

const oddNumber = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -10, max: 10, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, Number.NaN, Infinity, -Infinity, 1e308, 5e-324) },
);
const oddStream = (id: string, role: 'state' | 'action'): fc.Arbitrary<Stream> =>
  fc
    .record({
      rows: fc.integer({ min: 0, max: 90 }),
      dims: fc.integer({ min: 0, max: 4 }),
      pool: fc.array(oddNumber, { minLength: 1, maxLength: 60 }),
      clock: fc.constantFrom<Clock['provenance'] | 'none'>('synthesised', 'header', 'log', 'none'),
      stamps: fc.array(oddNumber, { minLength: 1, maxLength: 20 }),
      named: fc.boolean(),
    })
    .map(({ rows, dims, pool, clock, stamps, named }) => {
      const stream = numericStream(id, role, rows, dims, (i, d) => pool[(i * 7 + d * 3) % pool.length]);
      const names = named ? Array.from({ length: dims }, (_, d) => (d === 0 ? 'gripper' : `j${d}`)) : null;
      if (clock === 'none') return { ...stream, names, clocks: [], clock: null };
      const at = (row: number) => (clock === 'log' ? stamps[row % stamps.length] : row / 30);
      return { ...withTimestamps(stream, clock, at), names };
    });

describe('whatever is recorded', () => {
  it('is judged without an exception, with scores between 0 and 1 and plain numbers', () => {
    fc.assert(
      fc.property(oddStream('s', 'state'), oddStream('a', 'action'), (state, action) => {
        for (const streams of [[state, action], [state], [action]]) {
          for (const check of checks) {
            const found = judgeWithCheck(check, testEpisode(0, streams));
            expect(found.score).toBeGreaterThanOrEqual(0);
            expect(found.score).toBeLessThanOrEqual(1);
            if (found.values === null) expect(found.reason).toBeTruthy();
            else expect(canonicalJson(found.values)).toContain('{');
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is measured to a kilobyte a check at most, with positions of bounded number', () => {
    const wild = swingingArm(3, 600, 12).map((stream) =>
      withTimestamps(
        mapValues(stream, (value, i, d) => ((i * 31 + d) % 17 === 0 ? value + 2 : value)),
        'header',
        (row) => (row + (row % 5 === 0 ? 3 : 0)) / 30,
      ),
    );
    for (const check of checks)
      expect(JSON.stringify(judgeWithCheck(check, testEpisode(0, wild)).values ?? {}).length).toBeLessThan(
        2500,
      );
  });
});

describe('scores do not depend on', () => {
  const [state, action] = swingingArm(11);
  const scores = (streams: readonly Stream[]) =>
    checks.map((check) => judgeWithCheck(check, testEpisode(0, streams)).score);
  const spoiled = [mapValues(state, (value, i, d) => (d === 2 && i === 77 ? value + 1 : value)), action];

  it('the unit of the numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: -12, max: 12 }), (exponent) => {
        const scaled = spoiled.map((stream) => mapValues(stream, (value) => value * 2 ** exponent));
        scores(scaled).forEach((score, i) => {
          expect(score).toBeCloseTo(scores(spoiled)[i], 6);
        });
      }),
      { numRuns: 12 },
    );
  });

  it('the order of the dimensions', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), (order) => {
        const at = (stream: Stream, i: number, d: number) => stream.series!.values[i * 6 + order[d]];
        const turned = spoiled.map((stream) => mapValues(stream, (_, i, d) => at(stream, i, d)));
        scores(turned).forEach((score, i) => {
          expect(score).toBeCloseTo(scores(spoiled)[i], 6);
        });
      }),
      { numRuns: 12 },
    );
  });

  it('what was measured before: the same episode gives the same bytes', () => {
    const bytes = () =>
      checks.map((check) => JSON.stringify(judgeWithCheck(check, testEpisode(0, spoiled)).values));
    const first = bytes();
    scores(swingingArm(5, 777, 9));
    expect(bytes()).toEqual(first);
  });
});

describe('the parts', () => {
  it('select the k-th smallest as a sort does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 80 }),
        fc.nat(),
        (list, n) => {
          const sorted = Float64Array.from(list).sort();
          const k = n % list.length;
          expect(selectInPlace(Float64Array.from(list), list.length, k) === sorted[k]).toBe(true);
          expect(medianInPlace(Float64Array.from(list), list.length) === sorted[list.length >>> 1]).toBe(
            true,
          );
        },
      ),
    );
  });

  it('find the strongest as a sort does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 20 }), (scores) => {
        const expected = scores
          .map((score, d) => ({ score, d }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score || a.d - b.d)
          .slice(0, 4)
          .map(({ d }) => d);
        expect(selectStrongest(scores.length, 4, (d) => scores[d])).toEqual(expected);
      }),
    );
  });

  it('ramp from 1 to 0 in either direction', () => {
    expect([ramp(1, 2, 4), ramp(3, 2, 4), ramp(5, 2, 4)]).toEqual([1, 0.5, 0]);
    expect([ramp(9, 8, 4), ramp(6, 8, 4), ramp(3, 8, 4)]).toEqual([1, 0.5, 0]);
    expect(ramp(Number.NaN, 0, 1)).toBe(0);
  });

  it('measure columns as the definitions say', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 60 }), (list) => {
        const found = computeColumnFeatures({ values: Float32Array.from(list), dims: 1 });
        const steps = list.slice(1).map((value, i) => value - list[i]);
        const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
        expect(found.minimum[0]).toBe(Math.min(...list));
        expect(found.maximum[0]).toBe(Math.max(...list));
        expect(found.mean[0]).toBeCloseTo(mean, 9);
        expect(found.zero_steps[0]).toBe(steps.filter((step) => step === 0).length);
        expect(found.at_maximum[0]).toBe(list.filter((value) => value === Math.max(...list)).length);
        const bends = steps.slice(1).map((step, i) => Math.abs(step - steps[i]));
        expect(found.bend_max[0]).toBe(Math.max(0, ...bends));
        const run = list.slice(found.run_from[0], found.run_from[0] + found.run_length[0]);
        expect(new Set(run).size).toBe(1);
      }),
    );
  });

  it('count values that are not finite and interpolate them', () => {
    const found = computeColumnFeatures({
      values: Float64Array.of(0, 1, Number.NaN, 3, Infinity, 5),
      dims: 1,
    });
    expect([found.non_finite[0], found.non_finite_row[0]]).toEqual([2, 2]);
    expect([found.minimum[0], found.maximum[0], found.bend_max[0]]).toEqual([0, 5, 0]);
    const none = computeColumnFeatures({ values: new Float64Array(4).fill(Number.NaN), dims: 1 });
    expect([none.non_finite[0], none.minimum[0], none.std[0]]).toEqual([4, 0, 0]);
  });

  it('copy long series column by column', () => {
    const dims = 3;
    const values = Float32Array.from(
      { length: 3 * 400_000 },
      (_, at) => (at % dims) * 1e6 + Math.floor(at / dims),
    );
    const columns = getColumns({ values, dims });
    for (const d of [2, 0, 1]) {
      const base = columns.at(d);
      expect(columns.buffer[base + 399_999]).toBe(Math.fround(d * 1e6 + 399_999));
    }
  });

  it('tell lost samples from late ones', () => {
    const clock = (at: (row: number) => number) =>
      computeClockFeatures({
        name: 't',
        provenance: 'log',
        time_s: Float64Array.from({ length: 50 }, (_, i) => at(i)),
      });
    expect(clock((i) => i / 10)).toMatchObject({
      missing: 0,
      reversals: 0,
      duplicates: 0,
      jitter_ratio: expect.closeTo(0),
    });
    expect(clock((i) => (i < 20 ? i : i + 3) / 10).missing).toBeCloseTo(3);
    expect(clock((i) => (i === 20 ? i + 0.95 : i) / 10).missing).toBe(0);
    expect(clock((i) => (i === 20 ? 21 : i === 21 ? 20 : i) / 10)).toMatchObject({
      reversals: 1,
      missing: 0,
    });
  });
});

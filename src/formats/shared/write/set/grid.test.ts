import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stream } from '#core/episode';
import { buildGrid, resampleRows } from './grid.ts';

function stream(id: string, times: readonly number[]): Stream {
  return {
    ...{ id, role: 'state', modality: 'numeric', shape: [1], names: null, declared_rate_hz: null },
    unit: { unit: 'unknown', evidence: 'unknown', reason: '' },
    sample_count: times.length,
    clocks: [{ name: 'log_time', provenance: 'log', time_s: Float64Array.from(times) }],
    clock: { index: 0, reason: '' },
    series: { values: Float64Array.from(times), dims: 1 },
  };
}

const even = (count: number, rate_hz: number, from_s = 0) =>
  Array.from({ length: count }, (_, i) => from_s + i / rate_hz);

describe('the rows of an episode', () => {
  it('take the latest sample at or before them, never a later one, and none past the tolerance', () => {
    const times = fc
      .array(fc.double({ min: 0.001, max: 0.5, noNaN: true }), { minLength: 3, maxLength: 60 })
      .map((steps) => {
        let at = 0;
        return steps.map((step) => (at += step));
      });
    fc.assert(
      fc.property(
        times,
        times,
        fc.option(fc.double({ min: 1, max: 60, noNaN: true })),
        (own, other, rate_hz) => {
          const streams = [stream('a', own), stream('b', other)];
          const grid = buildGrid(
            streams,
            new Set(['a', 'b']),
            { kind: 'stamps', reference: 'a', rate_hz },
            null,
          );
          for (const [id, times] of [
            ['a', own],
            ['b', other],
          ] as const) {
            const steps = times
              .slice(1)
              .map((time, i) => time - times[i])
              .sort((a, b) => a - b);
            const tolerance_s = Math.max(0.02, 2 * steps[steps.length >> 1]);
            for (const [row, place] of grid.sampleIndices.get(id)!.entries()) {
              const at_s = grid.time_s[row];
              expect(place).toBeGreaterThanOrEqual(0);
              expect(times[place]).toBeLessThanOrEqual(at_s + 1e-6);
              expect(times[place + 1] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(at_s);
              expect(at_s - times[place]).toBeLessThanOrEqual(tolerance_s);
            }
          }
          expect([...grid.time_s]).toEqual([...grid.time_s].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('lie at the recorded stamps of the reference', () => {
    const grid = buildGrid(
      [stream('camera', even(10, 10, 0.03)), stream('joints', even(100, 100))],
      new Set(['camera', 'joints']),
      { kind: 'stamps', reference: 'camera', rate_hz: null },
      null,
    );
    expect([...grid.time_s]).toEqual(even(10, 10, 0.03));
    expect([...grid.sampleIndices.get('joints')!]).toEqual([3, 13, 23, 33, 43, 53, 63, 73, 83, 93]);
  });

  it('are left out, and counted, where a needed stream has a hole', () => {
    const holed = even(100, 100).filter((time) => time < 0.3 || time > 0.595);
    const grid = buildGrid(
      [stream('camera', even(10, 10)), stream('joints', holed)],
      new Set(['camera', 'joints']),
      { kind: 'stamps', reference: 'camera', rate_hz: null },
      null,
    );
    expect([...grid.time_s]).toEqual(
      [0, 0.1, 0.2, 0.3, 0.6, 0.7, 0.8, 0.9].map((time) => expect.closeTo(time, 9)),
    );
    expect(grid.left_out).toBe(2);
  });

  it('have no sample of a stream that is not needed where it has none', () => {
    const grid = buildGrid(
      [stream('camera', even(10, 10)), stream('gnss', even(3, 10, 0.2))],
      new Set(['camera']),
      { kind: 'stamps', reference: 'camera', rate_hz: null },
      null,
    );
    expect([...grid.sampleIndices.get('gnss')!]).toEqual([-1, -1, 0, 1, 2, 2, 2, -1, -1, -1]);
  });
});

it('rows of another rate lie from the first sample to the last, and take the latest at or before them', () => {
  const times = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 80 });
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 90 }), (steps, rate_hz) => {
      let at_ms = 0;
      const time_s = Float64Array.from(steps, (step) => {
        at_ms += step;
        return at_ms / 1000;
      });
      const [first_s, last_s] = [time_s[0], time_s[time_s.length - 1]];
      const { sourceRows, left_out } = resampleRows(time_s, rate_hz);
      const rows = Math.floor((last_s - first_s) * rate_hz + 1e-4) + 1;
      expect(Math.abs(sourceRows.length + left_out - rows)).toBeLessThanOrEqual(1);
      expect(sourceRows[0]).toBe(0);
      if (left_out > 0) return;
      for (const [row, place] of sourceRows.entries()) {
        const wanted_s = first_s + row / rate_hz;
        expect(time_s[place]).toBeLessThanOrEqual(wanted_s + 1e-5);
        if (place + 1 < time_s.length) expect(time_s[place + 1]).toBeGreaterThan(wanted_s);
      }
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '#test/support/tiers';
import { downsample, type Rows, type Window } from './read-stream.ts';

const finite = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
const value = fc.oneof({ arbitrary: finite, weight: 12 }, fc.constantFrom(Number.NaN, Infinity, -Infinity));

/** Streams with bursts, gaps, equal stamps and steps back. */
const streams = fc
  .record({
    dims: fc.integer({ min: 1, max: 3 }),
    count: fc.integer({ min: 0, max: 400 }),
    double: fc.boolean(),
  })
  .chain(({ dims, count, double }) =>
    fc.record({
      steps: fc.array(fc.constantFrom(0.01, 0.01, 0.01, 0.001, 0, 2, -0.02), {
        minLength: count,
        maxLength: count,
      }),
      numbers: fc.array(value, { minLength: count * dims, maxLength: count * dims }),
      dims: fc.constant(dims),
      double: fc.constant(double),
    }),
  )
  .map(({ steps, numbers, dims, double }): Rows => {
    let now = 0;
    const at = Float64Array.from(steps, (step) => (now += step));
    return { at, dims, values: double ? Float64Array.from(numbers) : Float32Array.from(numbers) };
  });

const windows = fc.record({
  from: fc.double({ min: -1, max: 10, noNaN: true }),
  length: fc.double({ min: 0, max: 20, noNaN: true }),
  columns: fc.integer({ min: 1, max: 120 }),
});

const cases = fc.tuple(streams, windows).map(([rows, { from, length, columns }]) => {
  const window: Window = { from, to: from + length, columns, dimensions: [...Array(rows.dims).keys()] };
  return { rows, window };
});

/** As 32 bits hold it; −0 and 0 are the same. */
const single = (one: number): number => Math.fround(one) + 0;

/** Rows of the window, one dimension. */
function valuesIn({ at, values, dims }: Rows, { from, to }: Window, dimension: number): number[] {
  return [...at.keys()]
    .filter((row) => at[row] >= from && at[row] <= to)
    .map((row) => values[row * dims + dimension]);
}

describe('a stream in fewer columns', () => {
  it('keeps the greatest and the least value of every window, however few columns', () => {
    fc.assert(
      fc.property(cases, ({ rows, window }) => {
        const { dimensions } = downsample(rows, window);
        for (const [dimension, { min, max }] of dimensions.entries()) {
          const real = valuesIn(rows, window, dimension).filter(Number.isFinite);
          const kept = (side: readonly (number | null)[]) => side.filter((one) => one !== null);
          if (real.length === 0) expect([kept(min), kept(max)]).toEqual([[], []]);
          else {
            expect(single(Math.min(...kept(min)))).toBe(single(Math.min(...real)));
            expect(single(Math.max(...kept(max)))).toBe(single(Math.max(...real)));
          }
        }
      }),
      { numRuns: rounds(60, 300) },
    );
  });

  it('shows every row within the column that it falls on', () => {
    fc.assert(
      fc.property(cases, ({ rows, window }) => {
        const { at, dimensions } = downsample(rows, window);
        for (let row = 0; row < rows.at.length; row++) {
          const time = rows.at[row];
          if (time < window.from || time > window.to) continue;
          const column = at.findLastIndex((start) => start <= time);
          expect(column).toBeGreaterThanOrEqual(0);
          for (const [k, { min, max, not_finite }] of dimensions.entries()) {
            const one = rows.values[row * rows.dims + k];
            if (!Number.isFinite(one)) expect(not_finite).toContain(column);
            else {
              expect(Math.fround(min[column]!)).toBeLessThanOrEqual(Math.fround(one));
              expect(Math.fround(max[column]!)).toBeGreaterThanOrEqual(Math.fround(one));
            }
          }
        }
      }),
      { numRuns: rounds(60, 300) },
    );
  });

  it('is one column where the window has hardly any width', () => {
    const rows = { at: Float64Array.from([0]), dims: 1, values: Float32Array.from([3]) };
    const { at } = downsample(rows, { from: 0, to: 5e-324, columns: 1, dimensions: [0] });
    expect(at).toEqual([0]);
  });

  it('is never more than the columns asked for, in order, within the window', () => {
    fc.assert(
      fc.property(cases, ({ rows, window }) => {
        const { at, rows: count, dimensions } = downsample(rows, window);
        expect(at.length).toBeLessThanOrEqual(window.columns);
        expect(at).toEqual(at.toSorted((a, b) => a - b));
        for (const start of at) expect(start >= window.from && start <= window.to).toBe(true);
        expect(count).toBe(valuesIn(rows, window, 0).length);
        for (const { min, max } of dimensions)
          expect([min.length, max.length]).toEqual([at.length, at.length]);
      }),
      { numRuns: rounds(60, 300) },
    );
  });

  const even = (rows: number, rate_hz: number): Rows => ({
    at: Float64Array.from({ length: rows }, (_, row) => row / rate_hz),
    values: Float32Array.from({ length: rows }, (_, row) => row),
    dims: 1,
  });
  const whole = (rows: Rows, columns: number): Window => ({
    from: rows.at[0],
    to: rows.at[rows.at.length - 1],
    columns,
    dimensions: [0],
  });

  it('is every row where there are columns enough, and no gap between them', () => {
    const rows = even(30, 30);
    const { at, dimensions } = downsample(rows, whole(rows, 800));
    expect(at).toEqual([...rows.at]);
    expect(dimensions[0].min).toEqual([...rows.values]);
    expect(dimensions[0].max).toEqual([...rows.values]);
  });

  it('has one column of nulls where nothing was recorded for long', () => {
    const rows = even(300, 30);
    const kept = [...Array(300).keys()].filter((row) => row < 100 || row >= 200);
    const holed = {
      at: Float64Array.from(kept, (row) => rows.at[row]),
      values: Float32Array.from(kept, (row) => rows.values[row]),
      dims: 1,
    };
    const { at, dimensions } = downsample(holed, whole(holed, 50));
    const nulls = dimensions[0].min.flatMap((one, column) => (one === null ? [column] : []));
    expect(nulls).toHaveLength(1);
    expect(at[nulls[0]]).toBeGreaterThan(99 / 30);
    expect(at[nulls[0]]).toBeLessThan(200 / 30);
  });

  it('loses no spike of one row among a million', () => {
    const rows = even(1_000_000, 1000);
    rows.values[654_321] = 1e9;
    const { dimensions } = downsample({ ...rows, values: rows.values }, whole(rows, 800));
    expect(Math.max(...dimensions[0].max.map((one) => one ?? 0))).toBe(1e9);
  });
});

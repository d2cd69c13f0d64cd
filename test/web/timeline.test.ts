import { expect, it } from 'vitest';
import { type Column, rangeOf, valueAt } from '../../src/quality/report/timeline/column.ts';
import { domainOf, View } from '../../src/quality/report/timeline/view.ts';

/** A column with a sample per time; NaN where there is no value. */
function columnOf(
  times: readonly number[],
  values: readonly number[],
  broken: readonly number[] = [],
): Column {
  const first = Float64Array.from(times);
  const low = Float64Array.from(values);
  const step_s = times.length > 1 ? (times.at(-1)! - times[0]) / (times.length - 1) : 0;
  const finite = values.filter(Number.isFinite);
  const range = finite.length === 0 ? [0, 0] : [Math.min(...finite), Math.max(...finite)];
  return {
    axis: { first, last: first, count: times.length, step_s, exact: true },
    ...{ low, high: low, from: range[0], to: range[1], broken, outliers: [] },
  };
}

it('the range of a timeline is never empty, and contains the samples and marks near the episode', () => {
  expect(domainOf(10, [], [])).toEqual({ from: 0, to: 10 });
  expect(domainOf(0, [], [])).toEqual({ from: 0, to: 1 });
  for (const duration_s of [Number.NaN, Number.POSITIVE_INFINITY, -1])
    expect(domainOf(duration_s, [{ from: 0, to: 4 }], [])).toEqual({ from: 0, to: 4 });
  const notFinite = [
    { from: Number.NaN, to: Number.NaN },
    { from: 0, to: Number.POSITIVE_INFINITY },
  ];
  expect(domainOf(10, notFinite, [{ from_s: Number.NaN, to_s: Number.NaN }])).toEqual({ from: 0, to: 10 });
  expect(domainOf(10, [{ from: -3, to: 11 }], [])).toEqual({ from: -0.5, to: 11 });
  const marks = [
    { from_s: -1, to_s: 2 },
    { from_s: 5, to_s: 900 },
  ];
  expect(domainOf(10, [], marks)).toEqual({ from: -1, to: 10 });
});

it('the values at the cursor are those of the samples beside it, and missing in a gap and beyond the ends', () => {
  const column = columnOf([0, 1, 2, 3, 12, 13], [5, 6, Number.NaN, 8, 9, Number.NaN], [5]);
  expect(valueAt(column, 0.9)).toBe('6');
  expect(valueAt(column, 2)).toBe('–');
  expect(valueAt(column, 7.5)).toBe('–');
  expect(valueAt(column, -20)).toBe('–');
  expect(valueAt(column, 40)).toBe('–');
  expect(valueAt(column, 13)).toBe('not a number');
  expect(valueAt(columnOf([], []), 1)).toBe('–');
  expect(valueAt(columnOf([0], [4]), 0)).toBe('4');
});

it('an interval between samples applies to the whole time since the sample before', () => {
  const intervals = columnOf([0, 1, 2, 12], [1, 1, 1, 10]);
  expect(valueAt(intervals, 3, true)).toBe('10');
  expect(valueAt(intervals, 13, true)).toBe('–');
});

it('columns without a value do not widen the scale of the others', () => {
  const empty = columnOf([0, 1], [Number.NaN, Number.NaN]);
  expect(rangeOf([empty, columnOf([0, 1], [100, 110])])).toEqual({ from: 100, to: 110 });
  expect(rangeOf([columnOf([0, 1], [7, 7])])).toEqual({ from: 7, to: 7 });
  expect(rangeOf([empty])).toEqual({ from: 0, to: 0 });
  expect(rangeOf([])).toEqual({ from: 0, to: 0 });
});

it('the view follows a time that leaves it, and only then', () => {
  const view = new View({ from: 0, to: 100 });
  view.set(0, 20);
  view.follow(19);
  expect(view.from).toBe(0);
  view.follow(41);
  expect([view.from, view.to]).toEqual([40, 60]);
});

import { AssayError } from '#core';
import {
  assertUnique,
  type EditableEpisode,
  type EditedFeature,
  type EditStep,
  type ExportEdit,
  type MotionSeries,
  parsePair,
  type RowRange,
  requireFeature,
} from './export-edit.ts';

/** A step of more than this many periods is a hole. */
const hole_periods = 1.5;

/** Edit `--cut holes`: splits episodes at holes in their timestamps. */
export const cut: ExportEdit = {
  id: 'cut',
  takes: 'holes',
  about: `splits episodes where timestamps are more than ${hole_periods} frame periods apart; parts with a single row are dropped`,
  read: (texts) => {
    if (texts.some((text) => text !== 'holes'))
      throw new AssayError('usage', `--cut requires holes, got ${texts.join(' ')}`, {});
    return { lineage: { edit: 'cut', at: 'holes', hole_periods }, rows: splitAtHoles };
  },
};

function splitAtHoles({ first, until }: RowRange, { times, rate_hz }: EditableEpisode): RowRange[] {
  if (times === null) return [{ first, until }];
  const ranges: RowRange[] = [];
  let from = first;
  for (let row = first + 1; row <= until; row++) {
    if (row < until && !((times[row] - times[row - 1]) * rate_hz > hole_periods)) continue;
    if (row - from > 1) ranges.push({ first: from, until: row });
    from = row;
  }
  return ranges;
}

const shiftSyntax = 'FEATURE=ROWS';

/** Edit `--shift action=-3`: row i gets the action recorded at row i + 3; rows without a value are removed. */
export const shift: ExportEdit = {
  id: 'shift',
  takes: shiftSyntax,
  about:
    'shifts a feature by a number of rows, a negative number makes it earlier; rows at the ends without a value are removed',
  read: (texts) => {
    const shifts = texts.map((text) => {
      const [feature, value] = parsePair(text, '--shift', shiftSyntax);
      const rows = Number(value);
      if (Number.isInteger(rows) && Math.abs(rows) < 1e6) return { feature, rows };
      throw new AssayError('usage', `--shift requires an integer number of rows, got ${value}`, {
        advice: 'the check signal_sync reports the lag in rows',
      });
    });
    assertUnique(
      shifts.map(({ feature }) => feature),
      '--shift',
    );
    const late = Math.max(0, ...shifts.map(({ rows }) => rows));
    const early = Math.min(0, ...shifts.map(({ rows }) => rows));
    return {
      lineage: {
        edit: 'shift',
        by_rows: Object.fromEntries(shifts.map(({ feature, rows }) => [feature, rows])),
      },
      named: shifts.map(({ feature }) => feature),
      rigid: true,
      rows: ({ first, until }: RowRange) =>
        first + late < until + early ? [{ first: first + late, until: until + early }] : [],
      features: (features) => shifts.reduce(shifted, features),
    };
  },
};

function shifted(features: readonly EditedFeature[], { feature, rows }: { feature: string; rows: number }) {
  const edited = requireFeature(features, feature, '--shift');
  return features.map((one) => (one === edited ? { ...one, shift: one.shift + rows } : one));
}

/**
 * A dimension is at rest while it stays within this share of its own range, or of the widest range; as in the readiness
 * checks.
 */
const restLimits = { own: 0.015, widest: 0.006 } as const;
/** Dimensions whose range is below this fraction of the widest range are noise. */
const minRangeShare = 0.05;
/** Rest kept at each end, so that motion starts and ends within the episode. */
const margin_s = 0.2;

const trimSyntax = 'idle or FROM..TO (seconds)';

/** Edit `--trim idle` or `--trim 1.5..12`: removes rows before and after. */
export const trim: ExportEdit = {
  id: 'trim',
  takes: trimSyntax,
  about: `removes idle time before the first and after the last motion (idle: no dimension moves by ${100 * restLimits.own} % of its range; ${margin_s} s are kept), or everything outside FROM..TO seconds`,
  read: (texts) => {
    const [text] = texts;
    if (texts.length !== 1) throw usage(texts.join(' '));
    return text === 'idle' ? trimIdle : trimToMarks(text);
  },
};

const usage = (text: string) => new AssayError('usage', `--trim requires ${trimSyntax}, got ${text}`, {});

const trimIdle: EditStep = {
  lineage: { edit: 'trim', to: 'motion', rest_share_of_range: restLimits.own, margin_s },
  rows: (range, episode) => movingRows(range, episode),
};

function trimToMarks(text: string): EditStep {
  const match = /^(\d+(?:\.\d+)?)?\.\.(\d+(?:\.\d+)?)?$/.exec(text);
  if (match === null || text === '..') throw usage(text);
  const from_s = Number(match[1] ?? 0);
  const to_s = match[2] === undefined ? null : Number(match[2]);
  if (to_s !== null && to_s <= from_s) throw usage(text);
  return {
    lineage: { edit: 'trim', to: 'marks', from_s, to_s },
    rigid: true,
    rows: (range, episode) => {
      const zero_s = timeOf(episode, range.first);
      return rowsBetween(range, episode, [zero_s + from_s, zero_s + (to_s ?? Number.POSITIVE_INFINITY)]);
    },
  };
}

/** Returns the time of a row in seconds since the start of the episode. */
const timeOf = ({ times, rate_hz }: EditableEpisode, row: number) => times?.[row] ?? row / rate_hz;

/** Returns the rows from `from_s` to before `to_s`, in seconds since the start of the episode. */
function rowsBetween(
  { first, until }: RowRange,
  episode: EditableEpisode,
  [from_s, to_s]: readonly [from_s: number, to_s: number],
): RowRange[] {
  // Tolerance for timestamps recorded as float32.
  const same_s = 1e-3 / episode.rate_hz;
  let from = first;
  while (from < until && !(timeOf(episode, from) >= from_s - same_s)) from++;
  let end = from;
  while (end < until && !(timeOf(episode, end) >= to_s - same_s)) end++;
  return from < end ? [{ first: from, until: end }] : [];
}

/** Time span of an episode in seconds since its start. */
export interface TrimSpan {
  readonly from_s: number;
  readonly to_s: number;
}

/** Returns the edit that trims episodes to the spans of a curation plan, by episode id; other episodes stay whole. */
export function trimByPlan(spans: Readonly<Record<string, TrimSpan>>): EditStep {
  return {
    lineage: { edit: 'trim', to: 'plan', episodes: Object.keys(spans).length },
    rows: (range, episode) => {
      const span = Object.hasOwn(spans, episode.id) ? spans[episode.id] : null;
      return span === null ? [range] : rowsBetween(range, episode, [span.from_s, span.to_s]);
    },
  };
}

/** Returns the rows from shortly before the first motion to shortly after the last; [] without any motion. */
function movingRows({ first, until }: RowRange, { motion, rate_hz }: EditableEpisode): RowRange[] {
  let from = until;
  let end = first;
  for (const series of motion) {
    const limits = computeRestLimits(series, { first, until });
    from = Math.min(from, findMotionStart(series, limits, { first, until }));
    end = Math.max(end, findMotionEnd(series, limits, { first, until }));
  }
  if (from >= end) return motion.length === 0 ? [{ first, until }] : [];
  const margin = Math.round(margin_s * rate_hz);
  return [{ first: Math.max(first, from - margin), until: Math.min(until, end + margin) }];
}

/** Returns how far each dimension may move and still be at rest; `null` for dimensions that are noise. */
function computeRestLimits({ values, dims }: MotionSeries, { first, until }: RowRange): (number | null)[] {
  const ranges = Array.from({ length: dims }, (_, dim) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = first; row < until; row++) {
      const value = values[row * dims + dim];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return high > low ? high - low : 0;
  });
  const [, second = ranges[0]] = [...ranges].sort((a, b) => b - a);
  const widest = second > 0 ? second : Math.max(...ranges);
  return ranges.map((range) =>
    range > minRangeShare * widest ? Math.max(restLimits.own * range, restLimits.widest * widest) : null,
  );
}

/** Returns the first row that differs from the range's first row by more than the limits; `until` if none does. */
function findMotionStart(
  { values, dims }: MotionSeries,
  limits: readonly (number | null)[],
  { first, until }: RowRange,
) {
  for (let row = first + 1; row < until; row++)
    for (const [dim, limit] of limits.entries())
      if (limit !== null && Math.abs(values[row * dims + dim] - values[first * dims + dim]) > limit)
        return row;
  return until;
}

/**
 * Returns the row after the last one that differs from the range's last row by more than the limits; `first` if none
 * does.
 */
function findMotionEnd(
  { values, dims }: MotionSeries,
  limits: readonly (number | null)[],
  { first, until }: RowRange,
) {
  const last = until - 1;
  for (let row = last - 1; row >= first; row--)
    for (const [dim, limit] of limits.entries())
      if (limit !== null && Math.abs(values[row * dims + dim] - values[last * dims + dim]) > limit)
        return row + 1;
  return first;
}

import type { Axis, Column, SignalStream } from '#quality/report/timeline';
import { number } from '#quality/report/views';
import type { PlayerSignal, PlayerStream } from './types.ts';

/**
 * Converts signals to streams of the timeline. Samples without timestamps are spread evenly over the episode.
 */
export function toSignalStreams(
  signals: readonly PlayerSignal[],
  streams: readonly PlayerStream[],
  duration_s: number,
): SignalStream[] {
  return signals.map((signal) => {
    const facts = streams.find(({ id }) => id === signal.stream_id);
    const axis = toAxis(signal, duration_s);
    return {
      id: signal.stream_id,
      role: facts?.role ?? null,
      names: signal.dimensions.map(({ name, index }) => name ?? `${index}`),
      dims: signal.dims,
      columns: signal.dimensions.map((dimension) => toColumn(dimension, axis)),
      about: describe(signal, facts),
    };
  });
}

function toAxis({ axis, at, to, rows }: PlayerSignal, duration_s: number): Axis {
  const scale = axis === 'time_s' ? 1 : duration_s / Math.max(1, to);
  const first = Float64Array.from(at, (each) => each * scale);
  const exact = rows <= at.length;
  const step_s = rows > 1 ? (to * scale - (first[0] ?? 0)) / (rows - 1) : 0;
  // A column ends one sample before the next begins.
  const last = exact
    ? first
    : first.map((start, b) => Math.max(start, b + 1 < first.length ? first[b + 1] - step_s : to * scale));
  return { first, last, count: at.length, step_s, exact };
}

function toColumn({ min, max, not_finite }: PlayerSignal['dimensions'][number], axis: Axis): Column {
  const low = Float64Array.from(min, (value) => value ?? Number.NaN);
  const high = Float64Array.from(max, (value) => value ?? Number.NaN);
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of low) if (value < from) from = value;
  for (const value of high) if (value > to) to = value;
  const range = from <= to ? { from, to } : { from: 0, to: 0 };
  return { axis, low, high, ...range, broken: not_finite, outliers: [] };
}

function describe({ axis, dims, dimensions }: PlayerSignal, facts: PlayerStream | undefined): string[] {
  const about = axis === 'row' ? ['no timestamps: shown by sample number'] : [];
  if (dims > dimensions.length) about.unshift(`first ${dimensions.length} of ${dims} dimensions`);
  if (facts === undefined) return about;
  const { unit, measured_rate_hz: rate } = facts;
  return [
    unit.unit === 'unknown' ? 'unit unknown' : unit.unit,
    ...(rate === null ? [] : [`${number(rate)} Hz`]),
    ...about,
  ];
}

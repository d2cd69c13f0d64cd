import { type Episode, type Stream, type StreamRole, timesOf } from '#core/episode';
import { countSamples } from '../features/columns.ts';
import { findGripperDimensions } from '../features/hand-dimensions.ts';
import { lowerBound } from '../features/stream-rows.ts';

/** Part of an episode that the action-space diagnosis needs. */
export type SignalEpisode = Pick<Episode, 'id' | 'streams' | 'grippers'>;

/** One dimension of an action or state stream. */
export interface Column {
  readonly stream: string;
  readonly dimension: number;
  readonly name: string | null;
  readonly unit: string;
  /** `true` if the dimension is a gripper, as declared by the reader or by name. */
  readonly gripper: boolean;
}

/** Consecutive rows, `from` up to, not including, `to`; the first is row `first_row` of the episode. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
  readonly first_row: number;
}

/** Actions and states of one episode as columns, at the rows of the actions. Contains no NaN. */
export interface Signals {
  /** Equal for episodes with the same columns. */
  readonly layout: string;
  readonly action_columns: readonly Column[];
  readonly state_columns: readonly Column[];
  readonly action: readonly Float64Array[];
  readonly state: readonly Float64Array[];
  /** States at the episode's first row. */
  readonly origin: Float64Array;
  readonly windows: readonly RowWindow[];
  readonly rows: number;
  readonly rate_hz: number | null;
}

const maxRows = 4096;
const windowCount = 4;
const maxColumns = 64;
const minRows = 8;

/** Reason why there is nothing to diagnose. */
export type MissingSignals = 'no action' | 'no state' | 'too short';

/**
 * Extracts actions and states of an episode at common rows, long episodes in four sampled windows, or returns why
 * there is nothing to diagnose.
 */
export function extractSignals(episode: SignalEpisode): Signals | MissingSignals {
  const actions = findNumericStreams(episode, 'action').map(unrollChunks);
  const base = actions.reduce<Stream | null>(
    (widest, stream) => (widest === null || stream.series!.dims > widest.series!.dims ? stream : widest),
    null,
  );
  if (base === null) return 'no action';
  const states = findNumericStreams(episode, 'state', 'odometry');
  if (states.length === 0) return 'no state';
  const rows = countSamples(base.series!);
  if (rows < minRows) return 'too short';
  const { picked, windows } = pickRows(rows);
  const [action, state] = [sampleColumns(base, actions, picked), sampleColumns(base, states, picked)];
  if (state.columns.length === 0) return 'no state';
  const action_columns = action.columns.map((column) => describeColumn(episode, column));
  const state_columns = state.columns.map((column) => describeColumn(episode, column));
  return {
    layout: [...action_columns, ...state_columns]
      .map((c) => `${c.stream}[${c.dimension}]${c.name ?? ''}`)
      .join(','),
    action_columns,
    state_columns,
    action: action.columns.map(({ values }) => values),
    state: state.columns.map(({ values }) => values),
    origin: Float64Array.from(
      sampleColumns(base, states, Int32Array.of(0)).columns,
      ({ values }) => values[0],
    ),
    windows,
    rows,
    rate_hz: measureRate(base),
  };
}

function findNumericStreams({ streams }: SignalEpisode, ...roles: readonly StreamRole[]): Stream[] {
  return streams.filter(
    ({ role, series }) => roles.includes(role) && series !== undefined && countSamples(series) > 0,
  );
}

/**
 * Converts rows that each contain a chunk of n actions to the actions that would be executed: those of row 0,
 * of row n, and so on. The result is relative to the same origin as the chunks. Other streams are returned
 * unchanged.
 */
function unrollChunks(stream: Stream): Stream {
  const { shape, series, names } = stream;
  const [n, width] = shape;
  const { values, dims } = series!;
  if (shape.length !== 2 || n < 2 || n * width !== dims) return stream;
  const rows = countSamples(series!);
  const played = new Float64Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const step = row % n;
    const from = (row - step) * dims + step * width;
    for (let d = 0; d < width; d++) played[row * width + d] = values[from + d];
  }
  return { ...stream, names: names?.slice(0, width) ?? null, series: { values: played, dims: width } };
}

/** Selects all rows, or four windows of consecutive rows spread over the episode. */
function pickRows(rows: number): { picked: Int32Array; windows: RowWindow[] } {
  if (rows <= maxRows)
    return {
      picked: Int32Array.from({ length: rows }, (_, row) => row),
      windows: [{ from: 0, to: rows, first_row: 0 }],
    };
  const length = maxRows / windowCount;
  const windows = Array.from({ length: windowCount }, (_, w) => ({
    from: w * length,
    to: (w + 1) * length,
    first_row: Math.floor((w * (rows - length)) / (windowCount - 1)),
  }));
  const picked = new Int32Array(maxRows);
  for (const { from, to, first_row } of windows)
    for (let i = from; i < to; i++) picked[i] = first_row + i - from;
  return { picked, windows };
}

interface RawColumn {
  readonly source: Stream;
  readonly dimension: number;
  readonly values: Float64Array;
}

/**
 * Samples the streams' dimensions at the selected rows of `base`; streams that cannot be aligned are omitted.
 */
function sampleColumns(
  base: Stream,
  streams: readonly Stream[],
  picked: Int32Array,
): { readonly columns: RawColumn[] } {
  const columns: RawColumn[] = [];
  for (const stream of streams) {
    const rows = matchRows(stream, base, picked);
    const { values, dims } = stream.series!;
    if (rows === null) continue;
    const room = Math.min(dims, maxColumns - columns.length);
    for (let d = 0; d < room; d++)
      columns.push({
        source: stream,
        dimension: d,
        values: unwrapAngle(fillNonFinite(values, dims, d, rows)),
      });
  }
  return { columns };
}

/**
 * Returns the row of `stream` that is current at each selected row of `base`; `null` if their rows cannot be
 * related.
 */
function matchRows(stream: Stream, base: Stream, picked: Int32Array): Int32Array | null {
  const [baseTimes, streamTimes] = [timesOf(base), timesOf(stream)];
  const count = countSamples(stream.series!);
  if (
    stream === base ||
    (count === countSamples(base.series!) &&
      (baseTimes === null || streamTimes === null || baseTimes === streamTimes))
  )
    return picked;
  if (baseTimes === null || streamTimes === null) return null;
  return picked.map((row) => {
    const at = lowerBound(streamTimes, baseTimes[row]);
    const before = at < count && streamTimes[at] === baseTimes[row] ? at : at - 1;
    return Math.max(0, Math.min(count - 1, before));
  });
}

/** Copies a column and replaces non-finite values by the previous value, initially 0. */
function fillNonFinite(
  values: Float32Array | Float64Array,
  dims: number,
  dimension: number,
  rows: Int32Array,
): Float64Array {
  const out = new Float64Array(rows.length);
  let last = 0;
  for (let i = 0; i < rows.length; i++) {
    const value = values[rows[i] * dims + dimension];
    if (Number.isFinite(value)) last = value;
    out[i] = last;
  }
  return out;
}

const fullTurns = [2 * Math.PI, 360] as const;

/** Unwraps an angle: jumps of a full turn are removed. Other columns are returned unchanged. */
function unwrapAngle(values: Float64Array): Float64Array {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let jump = 0;
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, values[i]);
    high = Math.max(high, values[i]);
    if (i > 0) jump = Math.max(jump, Math.abs(values[i] - values[i - 1]));
  }
  const turn = fullTurns.find((whole) => jump > 0.9 * whole && high - low <= 1.001 * whole);
  if (turn === undefined) return values;
  const out = values.slice();
  let added = 0;
  for (let i = 1; i < values.length; i++) {
    const step = values[i] - values[i - 1];
    if (Math.abs(step) > 0.5 * turn) added -= Math.sign(step) * turn;
    out[i] = values[i] + added;
  }
  return out;
}

function describeColumn(episode: SignalEpisode, { source, dimension }: RawColumn): Column {
  return {
    stream: source.id,
    dimension,
    name: source.names?.[dimension] ?? null,
    unit: source.unit.unit,
    gripper: findGripperDimensions(episode, source).includes(dimension),
  };
}

function measureRate(base: Stream): number | null {
  const times = timesOf(base);
  if (times === null || times.length < 2) return base.declared_rate_hz;
  const span = times[times.length - 1] - times[0];
  return span > 0 ? (times.length - 1) / span : base.declared_rate_hz;
}

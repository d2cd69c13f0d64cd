import { type Episode, type Stream, type StreamRole, timesOf } from '#core/episode';
import { samplesOf } from '../features/columns/columns.ts';
import { gripperDimensions } from '../features/columns/hand-dimensions.ts';
import { lowerBound } from '../features/movement.ts';

/** The part of an episode that tells what its actions mean. */
export type SignalEpisode = Pick<Episode, 'id' | 'streams' | 'grippers'>;

/** One dimension of an action or state stream. */
export interface Column {
  readonly stream: string;
  readonly dimension: number;
  readonly name: string | null;
  readonly unit: string;
  /** The reader vouches that it opens and closes a gripper, or it is so named. */
  readonly gripper: boolean;
}

/** Rows that follow each other without a hole, `from` up to `to`; the first is row `first_row` of the episode. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
  readonly first_row: number;
}

/** Actions and states of one episode, column by column on the rows of the actions. Nothing in it is NaN. */
export interface Signals {
  /** Equal for episodes whose columns mean the same. */
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

const mostRows = 4096;
const windowCount = 4;
const mostColumns = 64;
const leastRows = 8;

/** Why there is nothing to diagnose. */
export type NoSignals = 'no action' | 'no state' | 'too short';

/** Lays actions and states of an episode side by side; long ones are seen through four windows. */
export function signalsOf(episode: SignalEpisode): Signals | NoSignals {
  const actions = numeric(episode, 'action').map(unrolled);
  const base = actions.reduce<Stream | null>(
    (widest, stream) => (widest === null || stream.series!.dims > widest.series!.dims ? stream : widest),
    null,
  );
  if (base === null) return 'no action';
  const states = numeric(episode, 'state', 'odometry');
  if (states.length === 0) return 'no state';
  const rows = samplesOf(base.series!);
  if (rows < leastRows) return 'too short';
  const { picked, windows } = pickRows(rows);
  const [action, state] = [columnsOn(base, actions, picked), columnsOn(base, states, picked)];
  if (state.columns.length === 0) return 'no state';
  const action_columns = action.columns.map((column) => named(episode, column));
  const state_columns = state.columns.map((column) => named(episode, column));
  return {
    layout: [...action_columns, ...state_columns]
      .map((c) => `${c.stream}[${c.dimension}]${c.name ?? ''}`)
      .join(','),
    action_columns,
    state_columns,
    action: action.columns.map(({ values }) => values),
    state: state.columns.map(({ values }) => values),
    origin: Float64Array.from(columnsOn(base, states, Int32Array.of(0)).columns, ({ values }) => values[0]),
    windows,
    rows,
    rate_hz: rateOf(base),
  };
}

function numeric({ streams }: SignalEpisode, ...roles: readonly StreamRole[]): Stream[] {
  return streams.filter(
    ({ role, series }) => roles.includes(role) && series !== undefined && samplesOf(series) > 0,
  );
}

/**
 * Where each row holds a whole chunk of n actions, the actions that would be played: those of row 0, of row n, and so on.
 * Whatever the chunks count from, this series counts from the same.
 */
function unrolled(stream: Stream): Stream {
  const { shape, series, names } = stream;
  const [n, width] = shape;
  const { values, dims } = series!;
  if (shape.length !== 2 || n < 2 || n * width !== dims) return stream;
  const rows = samplesOf(series!);
  const played = new Float64Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const step = row % n;
    const from = (row - step) * dims + step * width;
    for (let d = 0; d < width; d++) played[row * width + d] = values[from + d];
  }
  return { ...stream, names: names?.slice(0, width) ?? null, series: { values: played, dims: width } };
}

/** Every row, or four windows of consecutive rows spread over the episode. */
function pickRows(rows: number): { picked: Int32Array; windows: RowWindow[] } {
  if (rows <= mostRows)
    return {
      picked: Int32Array.from({ length: rows }, (_, row) => row),
      windows: [{ from: 0, to: rows, first_row: 0 }],
    };
  const length = mostRows / windowCount;
  const windows = Array.from({ length: windowCount }, (_, w) => ({
    from: w * length,
    to: (w + 1) * length,
    first_row: Math.floor((w * (rows - length)) / (windowCount - 1)),
  }));
  const picked = new Int32Array(mostRows);
  for (const { from, to, first_row } of windows)
    for (let i = from; i < to; i++) picked[i] = first_row + i - from;
  return { picked, windows };
}

interface RawColumn {
  readonly source: Stream;
  readonly dimension: number;
  readonly values: Float64Array;
}

/** The streams' dimensions at the picked rows of `base`; a stream that cannot be put on those rows is left out. */
function columnsOn(
  base: Stream,
  streams: readonly Stream[],
  picked: Int32Array,
): { readonly columns: RawColumn[] } {
  const columns: RawColumn[] = [];
  for (const stream of streams) {
    const rows = rowsIn(stream, base, picked);
    const { values, dims } = stream.series!;
    if (rows === null) continue;
    const room = Math.min(dims, mostColumns - columns.length);
    for (let d = 0; d < room; d++)
      columns.push({ source: stream, dimension: d, values: unwrapped(filled(values, dims, d, rows)) });
  }
  return { columns };
}

/** Which row of `stream` is in force at each picked row of `base`; null where nothing connects their rows. */
function rowsIn(stream: Stream, base: Stream, picked: Int32Array): Int32Array | null {
  const [own, other] = [timesOf(base), timesOf(stream)];
  const count = samplesOf(stream.series!);
  if (
    stream === base ||
    (count === samplesOf(base.series!) && (own === null || other === null || own === other))
  )
    return picked;
  if (own === null || other === null) return null;
  return picked.map((row) => {
    const at = lowerBound(other, own[row]);
    const before = at < count && other[at] === own[row] ? at : at - 1;
    return Math.max(0, Math.min(count - 1, before));
  });
}

/** A column without NaN: what is not finite is as the value before it. */
function filled(
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

const turns = [2 * Math.PI, 360] as const;

/** An angle that goes over its end and comes back at the other, made to go on: a jump of a whole turn is no motion. */
function unwrapped(values: Float64Array): Float64Array {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let jump = 0;
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, values[i]);
    high = Math.max(high, values[i]);
    if (i > 0) jump = Math.max(jump, Math.abs(values[i] - values[i - 1]));
  }
  const turn = turns.find((whole) => jump > 0.9 * whole && high - low <= 1.001 * whole);
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

function named(episode: SignalEpisode, { source, dimension }: RawColumn): Column {
  return {
    stream: source.id,
    dimension,
    name: source.names?.[dimension] ?? null,
    unit: source.unit.unit,
    gripper: gripperDimensions(episode, source).includes(dimension),
  };
}

function rateOf(base: Stream): number | null {
  const times = timesOf(base);
  if (times === null || times.length < 2) return base.declared_rate_hz;
  const span = times[times.length - 1] - times[0];
  return span > 0 ? (times.length - 1) / span : base.declared_rate_hz;
}

import type { Clock, ClockChoice, Stream, StreamRole, UnitOfMeasure } from '#core/episode';
import {
  columnDecoders,
  float32Values,
  float64Values,
  type GrowingValues,
  type Rows,
} from './decode-numbers.ts';
import { fitsFloat32, type NumberField } from './number-row.ts';

/** Numbers of a message type that become one stream. */
export interface SignalGroup {
  /** Joined to the table's name with a dot; empty: its only stream. */
  readonly suffix: string;
  /** Positions among the type's fields. */
  readonly fields: readonly number[];
  readonly role: StreamRole;
  readonly unit: UnitOfMeasure;
  /** What NaN says here by the autopilot's convention. */
  readonly nan_means?: string;
}

/** A field that holds a time since boot. */
export interface RowClock {
  readonly name: string;
  readonly field: number;
  /** Microseconds a unit of it. */
  readonly us: number;
  /** When the values were measured; the first clock says when they were published. */
  readonly measured?: true;
}

/** What all streams of a log say of their clock. */
export interface ClockWords {
  readonly reason: string;
}

/**
 * The rows of one message type (and instance), decoded column by column; the first clock is the one in use, unless a
 * further one says when every row was measured. A time of 0 is none: such rows were logged before anybody had published them and are left out, unless the type never carries a
 * time.
 */
export class SignalTable {
  readonly name: string;
  readonly rowBytes: number;
  rows = 0;
  readonly #fields: readonly NumberField[];
  readonly #clocks: readonly {
    readonly clock: RowClock;
    readonly times: GrowingValues<Float64Array<ArrayBuffer>>;
  }[];
  readonly #groups: readonly { readonly group: SignalGroup; readonly values: GrowingValues }[];

  constructor(
    name: string,
    fields: readonly NumberField[],
    clocks: readonly RowClock[],
    groups: readonly SignalGroup[],
  ) {
    this.name = name;
    this.#fields = fields;
    this.#clocks = clocks.map((clock) => ({ clock, times: float64Values(1) }));
    this.#groups = groups.map((group) => ({
      group,
      values: group.fields.every((at) => fitsFloat32(fields[at]))
        ? float32Values(group.fields.length)
        : float64Values(group.fields.length),
    }));
    this.rowBytes =
      8 * clocks.length +
      this.#groups.reduce((sum, { values }) => sum + values.dims * values.values.BYTES_PER_ELEMENT, 0);
  }

  /** Rows without a time. */
  get untimed(): number {
    if (this.#clocks.length === 0) return this.rows;
    const { values } = this.#clocks[0].times;
    let count = 0;
    for (let row = 0; row < this.rows; row++) if (values[row] === 0) count++;
    return count;
  }

  /** Earliest time in use, µs since boot; infinite where no row has one. */
  get first_us(): number {
    if (this.#clocks.length === 0) return Number.POSITIVE_INFINITY;
    const { values } = this.#clocks[0].times;
    let first = Number.POSITIVE_INFINITY;
    for (let row = 0; row < this.rows; row++)
      if (values[row] !== 0 && values[row] < first) first = values[row];
    return first;
  }

  /** Decodes a batch of rows, each whole in the view. */
  add(rows: Rows): void {
    for (const { clock, times } of this.#clocks) {
      this.#decode(clock.field, rows, times, 0);
      if (clock.us !== 1)
        for (let i = times.rows; i < times.rows + rows.count; i++) times.values[i] *= clock.us;
      times.rows += rows.count;
    }
    for (const { group, values } of this.#groups) {
      for (const [d, at] of group.fields.entries()) this.#decode(at, rows, values, d);
      values.rows += rows.count;
    }
    this.rows += rows.count;
  }

  #decode(at: number, rows: Rows, into: GrowingValues, dimension: number): void {
    const { kind, offset, divisor } = this.#fields[at];
    into.reserve(rows.count);
    const { dims, values } = into;
    const start = into.rows * dims + dimension;
    columnDecoders[kind](rows, offset, values, start, dims);
    if (divisor === 1) return;
    for (let i = 0; i < rows.count; i++) values[start + i * dims] /= divisor;
  }

  #choice(clocks: readonly Clock[], reason: string): ClockChoice | null {
    if (clocks.length === 0) return null;
    const measured = this.#clocks.find(({ clock }) => clock.measured)?.clock.name;
    const index = clocks.findIndex(({ name }) => name === measured);
    if (index < 1 || !isSampleClock(clocks[index], clocks[0])) return { index: 0, reason };
    return { index, reason: `${reason}; ${measured} says when each row was measured` };
  }

  /** The streams, their time counted from `zero_us`; what was gathered goes with them. */
  finish(zero_us: number, { reason }: ClockWords): Stream[] {
    const { untimed } = this;
    const stamps = this.#clocks.map(({ times }) => times.take());
    const isTimed = stamps.length > 0 && untimed < this.rows;
    const kept = isTimed && untimed > 0 ? keptRows(stamps[0]) : null;
    const clocks = isTimed
      ? this.#clocks.flatMap(({ clock }, i) => clockOf(clock, picked(stamps[i], 1, kept), zero_us, i === 0))
      : [];
    const clock = this.#choice(clocks, reason);
    return this.#groups.map(({ group, values }) => ({
      id: group.suffix === '' ? this.name : `${this.name}.${group.suffix}`,
      role: group.role,
      modality: 'numeric',
      shape: [values.dims],
      names: group.fields.map((at) => this.#fields[at].name),
      unit: group.unit,
      declared_rate_hz: null,
      sample_count: kept?.length ?? this.rows,
      clocks,
      clock,
      series: { values: picked(values.take(), values.dims, kept), dims: values.dims },
      ...(group.nan_means === undefined ? {} : { nan_means: group.nan_means }),
    }));
  }
}

/** Rows with a time. */
function keptRows(times: Float64Array): Int32Array {
  const kept = new Int32Array(times.length);
  let count = 0;
  for (let row = 0; row < times.length; row++) if (times[row] !== 0) kept[count++] = row;
  return kept.subarray(0, count);
}

/** Those rows of row-major values; all of them where `rows` is null. */
function picked<A extends Float32Array | Float64Array>(values: A, dims: number, rows: Int32Array | null): A {
  if (rows === null) return values;
  for (const [to, from] of rows.entries()) values.copyWithin(to * dims, from * dims, (from + 1) * dims);
  return values.subarray(0, rows.length * dims) as A;
}

/** A second clock that was never set is none. */
function clockOf({ name }: RowClock, time_s: Float64Array, zero_us: number, chosen: boolean): Clock[] {
  if (!chosen && time_s.every((time) => time === 0)) return [];
  for (let i = 0; i < time_s.length; i++) time_s[i] = (time_s[i] - zero_us) / 1e6;
  return [{ name, provenance: 'hardware', time_s }];
}

/** No sensor's reading is published later than this; what claims to be older was left from an earlier one. */
const longestLatency_s = 1;

/**
 * Says whether a second clock tells when the values of every row were measured: rising from row to row, and each stamp at
 * most a second before the row was published. A publisher may keep several readings and send them at once, and a logger
 * takes them when it comes round; only the time of measuring then shows the rate of the sensor.
 */
function isSampleClock(sampled: Clock, published: Clock): boolean {
  const { time_s } = sampled;
  for (let row = 0; row < time_s.length; row++) {
    const latency_s = published.time_s[row] - time_s[row];
    if (!(latency_s >= 0 && latency_s <= longestLatency_s)) return false;
    if (row > 0 && !(time_s[row] > time_s[row - 1])) return false;
  }
  return time_s.length > 0;
}

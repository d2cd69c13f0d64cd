import type { Clock, ClockChoice, ClockProvenance, Stream, StreamRole, UnitOfMeasure } from '#core/episode';
import {
  columnDecoders,
  fitsFloat32,
  float32Values,
  float64Values,
  type GrowingValues,
  type NumberField,
  type Rows,
} from './decode-numbers.ts';

/** Fields of a message type that form one stream. */
export interface SignalGroup {
  /** Appended to the table's name with a dot; '' if it is the table's only stream. */
  readonly suffix: string;
  /** Indices of the type's fields. */
  readonly fields: readonly number[];
  readonly role: StreamRole;
  readonly unit: UnitOfMeasure;
  /** Meaning of NaN by the autopilot's convention. */
  readonly nan_means?: string;
}

/** A field with a time since boot. */
export interface RowClock {
  readonly name: string;
  readonly field: number;
  /** Length of one unit of the field in microseconds. */
  readonly unit_us: number;
  /** True for the measurement time; the first clock is the publish time. */
  readonly measured?: true;
  /** Origin of the times; `hardware` by default. */
  readonly provenance?: ClockProvenance;
  /**
   * True for a measurement time that counts from another zero than the first clock: it is shifted by the smallest
   * difference between the two, so that no row is measured after its first clock.
   */
  readonly isShifted?: true;
}

/** Clock description shared by all streams of a log. */
export interface ClockDescription {
  readonly reason: string;
}

/**
 * Rows of one message type (and instance), decoded column by column. The first clock is used, unless another one gives
 * the measurement time of every row. Time 0 means "never published": such rows are left out, unless no row of the type
 * has a time.
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

  /** Number of rows with time 0. */
  get untimed(): number {
    if (this.#clocks.length === 0) return this.rows;
    const { values } = this.#clocks[0].times;
    let count = 0;
    for (let row = 0; row < this.rows; row++) if (values[row] === 0) count++;
    return count;
  }

  /** Earliest time of the first clock in µs since boot; infinity if no row has a time. */
  get first_us(): number {
    if (this.#clocks.length === 0) return Number.POSITIVE_INFINITY;
    const { values } = this.#clocks[0].times;
    let first = Number.POSITIVE_INFINITY;
    for (let row = 0; row < this.rows; row++)
      if (values[row] !== 0 && values[row] < first) first = values[row];
    return first;
  }

  /** Decodes a batch of rows and appends them; each must lie completely in the view. */
  add(rows: Rows): void {
    for (const { clock, times } of this.#clocks) {
      this.#decode(clock.field, rows, times, 0);
      if (clock.unit_us !== 1)
        for (let i = times.rows; i < times.rows + rows.count; i++) times.values[i] *= clock.unit_us;
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
    return { index, reason: `${reason}; ${measured} is the measurement time of each row` };
  }

  /**
   * Returns the table's streams, with times in seconds since `zero_us`, and empties the table; rows of time 0 are left
   * out unless all are.
   */
  finish(zero_us: number, { reason }: ClockDescription): Stream[] {
    const { untimed } = this;
    const stamps = this.#clocks.map(({ times }) => times.take());
    for (const [i, { clock }] of this.#clocks.entries())
      if (clock.isShifted && i > 0) shiftToFirst(stamps[i], stamps[0]);
    const isTimed = stamps.length > 0 && untimed < this.rows;
    const timed = isTimed && untimed > 0 ? timedRows(stamps[0]) : null;
    const clocks = isTimed
      ? this.#clocks.flatMap(({ clock }, i) =>
          buildClock(clock, selectRows(stamps[i], 1, timed), zero_us, i === 0),
        )
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
      sample_count: timed?.length ?? this.rows,
      clocks,
      clock,
      series: { values: selectRows(values.take(), values.dims, timed), dims: values.dims },
      ...(group.nan_means === undefined ? {} : { nan_means: group.nan_means }),
    }));
  }
}

/** Returns the indices of the rows with a time. */
function timedRows(times: Float64Array): Int32Array {
  const rows = new Int32Array(times.length);
  let count = 0;
  for (let row = 0; row < times.length; row++) if (times[row] !== 0) rows[count++] = row;
  return rows.subarray(0, count);
}

/** Selects rows of row-major values, in place; returns all values if `rows` is null. */
function selectRows<A extends Float32Array | Float64Array>(
  values: A,
  dims: number,
  rows: Int32Array | null,
): A {
  if (rows === null) return values;
  for (const [to, from] of rows.entries()) values.copyWithin(to * dims, from * dims, (from + 1) * dims);
  return values.subarray(0, rows.length * dims) as A;
}

/** Builds a clock with times in seconds since `zero_us`; returns [] for an additional clock that was never set. */
function buildClock(
  { name, provenance = 'hardware' }: RowClock,
  time_s: Float64Array,
  zero_us: number,
  chosen: boolean,
): Clock[] {
  if (!chosen && time_s.every((time) => time === 0)) return [];
  for (let i = 0; i < time_s.length; i++) time_s[i] = (time_s[i] - zero_us) / 1e6;
  return [{ name, provenance, time_s }];
}

/** Shifts times by the smallest difference to those of the first clock; times of which one is 0 (never set) all become 0. */
function shiftToFirst(times: Float64Array, first: Float64Array): void {
  let difference = Number.POSITIVE_INFINITY;
  for (let row = 0; row < times.length; row++) difference = Math.min(difference, first[row] - times[row]);
  const isSet = times.every((time) => time !== 0);
  for (let row = 0; row < times.length; row++) times[row] = isSet ? times[row] + difference : 0;
}

/** Maximum delay from measurement to publication; older times are left over from an earlier reading. */
const maxLatency_s = 1;

/**
 * True if a second clock is a measurement time: strictly rising, and at most 1 s before the row's publish time. A
 * publisher may batch readings, and a logger polls; only the measurement time then shows the sensor's rate.
 */
function isSampleClock(sampled: Clock, published: Clock): boolean {
  const { time_s } = sampled;
  for (let row = 0; row < time_s.length; row++) {
    const latency_s = published.time_s[row] - time_s[row];
    if (!(latency_s >= 0 && latency_s <= maxLatency_s)) return false;
    if (row > 0 && !(time_s[row] > time_s[row - 1])) return false;
  }
  return time_s.length > 0;
}

/** Rows of a table in the current window that are not decoded yet. */
export class RowBatch {
  count = 0;
  #starts = new Int32Array(64);

  /** Adds a row by its byte offset in the window. */
  push(start: number): void {
    if (this.count === this.#starts.length) {
      const larger = new Int32Array(this.count * 4);
      larger.set(this.#starts);
      this.#starts = larger;
    }
    this.#starts[this.count++] = start;
  }

  /** Decodes the rows into the table, empties the batch and returns the bytes that the rows take in the table. */
  flush(view: DataView, table: SignalTable): number {
    const { count } = this;
    table.add({ view, starts: this.#starts, count });
    this.count = 0;
    return count * table.rowBytes;
  }
}

/** Rule that groups fields of a message type into one stream. */
export interface GroupRule {
  readonly suffix: string;
  readonly fields: RegExp;
  readonly role: StreamRole;
  /** Meaning of NaN by the autopilot's convention. */
  readonly nan_means?: string;
}

/**
 * Groups the fields of a type into streams by rules, in order; fields that match no rule form one group with role
 * `other`. `taken`: clock fields to leave out. `unitOf`: returns the unit of a group's fields; its `rule` is null for
 * the rest.
 */
export function groupByRules<Rule extends GroupRule>(
  rules: readonly Rule[],
  fields: readonly NumberField[],
  taken: ReadonlySet<number>,
  unitOf: (rule: Rule | null, own: readonly number[]) => UnitOfMeasure,
): SignalGroup[] {
  const remaining = new Set([...fields.keys()].filter((at) => !taken.has(at)));
  const groups: SignalGroup[] = [];
  for (const rule of rules) {
    const matching = [...remaining].filter((at) => rule.fields.test(fields[at].name));
    if (matching.length === 0) continue;
    for (const at of matching) remaining.delete(at);
    const { suffix, role, nan_means } = rule;
    const unit = unitOf(rule, matching);
    groups.push({ suffix, fields: matching, role, unit, ...(nan_means === undefined ? {} : { nan_means }) });
  }
  if (remaining.size > 0) {
    const rest = [...remaining];
    groups.push({
      suffix: groups.length === 0 ? '' : 'other',
      fields: rest,
      role: 'other',
      unit: unitOf(null, rest),
    });
  }
  return groups;
}

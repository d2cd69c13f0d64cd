import type { Clock, Stream, StreamRole, UnitClaim } from '#episode';
import { type Column, float32Column, float64Column } from '../messages/columns.ts';
import { fitsFloat32, type NumberField } from './number-row.ts';

/** Numbers of a message type that become one stream. */
export interface SignalGroup {
  /** Joined to the table's name with a dot; empty: its only stream. */
  readonly suffix: string;
  /** Positions in the row. */
  readonly fields: readonly number[];
  readonly role: StreamRole;
  readonly unit: UnitClaim;
  /** What NaN says here by the autopilot's convention. */
  readonly nan_means?: string;
}

/** A column of the row that holds a time since boot. */
export interface RowClock {
  readonly name: string;
  readonly field: number;
  /** Microseconds a unit of it. */
  readonly us: number;
}

/** What all streams of a log say of their clock. */
export interface ClockWords {
  readonly reason: string;
}

interface GroupColumn {
  readonly group: SignalGroup;
  readonly pick: Int32Array;
  readonly scratch: Float64Array;
  readonly values: Column<Float32Array<ArrayBuffer>> | Column;
}

/**
 * The rows of one message type (and instance), gathered as columns; the first clock is the one in use. A time of 0 is
 * none: such rows were logged before anybody had published them and are left out, unless the type never carries a time.
 */
export class SignalTable {
  readonly name: string;
  rows = 0;
  /** Rows whose time is 0. */
  untimed = 0;
  readonly #fields: readonly NumberField[];
  readonly #clocks: readonly { readonly clock: RowClock; readonly times: Column }[];
  readonly #groups: readonly GroupColumn[];
  #first_us = Number.POSITIVE_INFINITY;

  constructor(
    name: string,
    fields: readonly NumberField[],
    clocks: readonly RowClock[],
    groups: readonly SignalGroup[],
  ) {
    this.name = name;
    this.#fields = fields;
    this.#clocks = clocks.map((clock) => ({ clock, times: float64Column() }));
    this.#groups = groups.map((group) => ({
      group,
      pick: Int32Array.from(group.fields),
      scratch: new Float64Array(group.fields.length),
      values: group.fields.every((at) => fitsFloat32(fields[at])) ? float32Column() : float64Column(),
    }));
  }

  /** Bytes that one row takes. */
  get rowBytes(): number {
    return 8 * this.#clocks.length + this.#groups.reduce((sum, { pick }) => sum + 8 * pick.length, 0);
  }

  /** Earliest time in use, µs since boot; infinite where no row has one. */
  get first_us(): number {
    return this.#first_us;
  }

  add(row: Float64Array): void {
    this.rows++;
    for (const { clock, times } of this.#clocks) times.push(row[clock.field] * clock.us);
    if (this.#clocks.length > 0) {
      const { clock } = this.#clocks[0];
      const time_us = row[clock.field] * clock.us;
      if (time_us === 0) this.untimed++;
      else if (time_us < this.#first_us) this.#first_us = time_us;
    }
    for (const { pick, scratch, values } of this.#groups) {
      for (let i = 0; i < pick.length; i++) scratch[i] = row[pick[i]];
      values.append(scratch, pick.length);
    }
  }

  /** The streams, their time counted from `zero_us`; what was gathered goes with them. */
  finish(zero_us: number, { reason }: ClockWords): Stream[] {
    const stamps = this.#clocks.map(({ times }) => times.take());
    const isTimed = stamps.length > 0 && this.untimed < this.rows;
    const kept = isTimed && this.untimed > 0 ? keptRows(stamps[0]) : null;
    const clocks = isTimed
      ? this.#clocks.flatMap(({ clock }, i) => clockOf(clock, picked(stamps[i], 1, kept), zero_us, i === 0))
      : [];
    return this.#groups.map(({ group, values, pick }) => ({
      id: group.suffix === '' ? this.name : `${this.name}.${group.suffix}`,
      role: group.role,
      modality: 'numeric',
      shape: [pick.length],
      names: group.fields.map((at) => this.#fields[at].name),
      unit: group.unit,
      declared_rate_hz: null,
      sample_count: kept?.length ?? this.rows,
      clocks,
      clock: clocks.length === 0 ? null : { index: 0, reason },
      series: { values: picked(values.take(), pick.length, kept), dims: pick.length },
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

import { parseNumber } from '../shared/text/csv-number.ts';
import type { ClockMapping } from './mapping.ts';

const perSecond = { s: 1, ms: 1e3, us: 1e6, ns: 1e9, iso8601: 1 } as const;
const billion = 1_000_000_000;

/** A stamp as high · 10⁹ + low + fraction ticks: nanoseconds since 1970, which no double holds, lose nothing. */
interface Ticks {
  high: number;
  low: number;
  fraction: number;
}

/** Reads the stamps of one clock as seconds since its first. */
export class StampParser {
  readonly #unit: ClockMapping['unit'];
  readonly #decimal: number;
  readonly #now: Ticks = { high: 0, low: 0, fraction: 0 };
  #first: Ticks | null = null;

  constructor(unit: ClockMapping['unit'], decimal: number) {
    this.#unit = unit;
    this.#decimal = decimal;
  }

  /** The first stamp in nanoseconds. */
  get origin(): bigint | null {
    if (this.#first === null) return null;
    const { high, low, fraction } = this.#first;
    const tick_ns = billion / perSecond[this.#unit];
    const whole = Math.trunc(low);
    const rest = Math.round((low - whole + fraction) * tick_ns);
    return (BigInt(high) * BigInt(billion) + BigInt(whole)) * BigInt(tick_ns) + BigInt(rest);
  }

  /** NaN where the field holds no stamp. */
  seconds(bytes: Buffer, from: number, to: number): number {
    const read =
      this.#unit === 'iso8601'
        ? this.#isoText(bytes.toString('latin1', from, to).trim())
        : this.#number(bytes, from, to);
    if (!read) return Number.NaN;
    const now = this.#now;
    this.#first ??= { ...now };
    const { high, low, fraction } = this.#first;
    return (
      ((now.high - high) * billion + (now.low - low) + (now.fraction - fraction)) / perSecond[this.#unit]
    );
  }

  #number(bytes: Buffer, from: number, to: number): boolean {
    let whole = from;
    while (whole < to && bytes[whole] >= 48 && bytes[whole] <= 57) whole++;
    const isPlain = whole === to || bytes[whole] === this.#decimal;
    // Up to 15 digits a double holds them all.
    if (to - from > 15 && isPlain && whole > from && whole - from <= 19)
      return this.#inParts(bytes, from, whole, to);
    const value = parseNumber(bytes, from, to, this.#decimal);
    return Number.isFinite(value) && this.#set(0, value, 0);
  }

  #inParts(bytes: Buffer, from: number, whole: number, to: number): boolean {
    const split = Math.max(from, whole - 9);
    const fraction = Number(`0.${bytes.toString('latin1', whole + 1, to) || 0}`);
    if (!Number.isFinite(fraction)) return false;
    return this.#set(
      Number(bytes.toString('latin1', from, split)),
      Number(bytes.toString('latin1', split, whole)),
      fraction,
    );
  }

  /** `2024-05-01 12:00:00.123456`; without a zone it is taken as UTC. */
  #isoText(text: string): boolean {
    const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:[.,](\d+))? ?(Z|UTC|[+-]\d\d:?\d\d)?$/.exec(text);
    if (parts === null) return false;
    const [, day, time, fraction = '0', zone = 'Z'] = parts;
    const seconds = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone}`) / 1000;
    if (!Number.isFinite(seconds)) return false;
    const high = Math.floor(seconds / billion);
    return this.#set(high, seconds - high * billion, Number(`0.${fraction}`));
  }

  #set(high: number, low: number, fraction: number): true {
    Object.assign(this.#now, { high, low, fraction });
    return true;
  }
}

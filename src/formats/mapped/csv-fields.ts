import { countPhrase } from '#core';
import type { Finding } from '#core/episode';
import { type CsvRecord, fieldText, parseNumber } from '../shared/text/csv-scanner.ts';
import type { ClockMapping } from './mapping.ts';

interface Issue {
  count: number;
  readonly line: number;
  readonly example: string;
}

/** Counts problems of CSV rows by kind and column, with the first example of each. */
export class CsvIssues {
  readonly #path: string;
  readonly #names: readonly string[];
  readonly #numbers = new Map<number, Issue>();
  readonly #stamps = new Map<number, Issue>();
  #ragged: Issue | null = null;

  constructor(path: string, names: readonly string[]) {
    this.#path = path;
    this.#names = names;
  }

  addRagged(record: CsvRecord): void {
    if (this.#ragged !== null) this.#ragged.count++;
    else this.#ragged = { count: 1, line: record.line, example: String(record.fields) };
  }

  addNotNumeric(record: CsvRecord, field: number): void {
    count(this.#numbers, record, field);
  }

  addMissingStamp(record: CsvRecord, field: number): void {
    count(this.#stamps, record, field);
  }

  /** Returns findings for what was counted since the last call and resets the counts. */
  takeFindings(): Finding[] {
    const findings = this.#findings();
    this.#ragged = null;
    this.#numbers.clear();
    this.#stamps.clear();
    return findings;
  }

  #findings(): Finding[] {
    const path = this.#path;
    const findings: Finding[] = [];
    if (this.#ragged !== null) {
      const { count, line, example } = this.#ragged;
      findings.push({
        code: 'rows_ragged',
        severity: 'warning',
        path,
        message: `${path}: ${countPhrase(count, 'rows have')} a different number of fields than the header (${this.#names.length}); the first is line ${line} with ${example}`,
        advice: 'check that line; missing fields count as missing values, extra fields are ignored',
        evidence: { rows: count, line },
      });
    }
    for (const [field, { count, line, example }] of this.#numbers)
      findings.push({
        code: 'values_not_numeric',
        severity: 'warning',
        path,
        message: `${path}: ${countPhrase(count, `values of ${this.#names[field]} are not`)} numeric; the first is ${example} on line ${line}`,
        advice:
          'remove units and thousands separators from the values, or remove the column from the mapping',
        evidence: { values: count, line },
      });
    for (const [field, { count, line, example }] of this.#stamps)
      findings.push({
        code: 'stamps_unreadable',
        severity: 'error',
        path,
        message: `${path}: ${countPhrase(count, 'rows have')} no valid timestamp in ${this.#names[field]}; the first is ${example} on line ${line}`,
        advice: 'check the unit of the clock in the mapping, and that line',
        evidence: { rows: count, line },
      });
    return findings;
  }
}

function count(issues: Map<number, Issue>, record: CsvRecord, field: number): void {
  const existing = issues.get(field);
  if (existing !== undefined) existing.count++;
  else {
    const example = field < record.fields ? JSON.stringify(fieldText(record, field).slice(0, 40)) : 'absent';
    issues.set(field, { count: 1, line: record.line, example: example });
  }
}

const ticksPerSecond = { s: 1, ms: 1e3, us: 1e6, ns: 1e9, iso8601: 1 } as const;
const billion = 1_000_000_000;

/**
 * A stamp of high · 10⁹ + low + fraction ticks, so that nanoseconds since 1970, which exceed a double's precision, are
 * exact.
 */
interface Ticks {
  high: number;
  low: number;
  fraction: number;
}

/** Parses the stamps of one clock to seconds since its first. */
export class StampParser {
  readonly #unit: ClockMapping['unit'];
  readonly #decimal: number;
  readonly #now: Ticks = { high: 0, low: 0, fraction: 0 };
  #first: Ticks | null = null;

  /** @param decimal character code of the decimal separator; a point by default */
  constructor(unit: ClockMapping['unit'], decimal = 46) {
    this.#unit = unit;
    this.#decimal = decimal;
  }

  /** First stamp in nanoseconds; `null` before one was read. */
  get origin(): bigint | null {
    if (this.#first === null) return null;
    const { high, low, fraction } = this.#first;
    const tick_ns = billion / ticksPerSecond[this.#unit];
    const wholeEnd = Math.trunc(low);
    const rest = Math.round((low - wholeEnd + fraction) * tick_ns);
    return (BigInt(high) * BigInt(billion) + BigInt(wholeEnd)) * BigInt(tick_ns) + BigInt(rest);
  }

  /**
   * Returns the stamp in bytes `from` to before `to` in seconds since the first stamp parsed; NaN if it is no stamp.
   */
  seconds(bytes: Buffer, from: number, to: number): number {
    const isRead =
      this.#unit === 'iso8601'
        ? this.#isoText(bytes.toString('latin1', from, to).trim())
        : this.#number(bytes, from, to);
    if (!isRead) return Number.NaN;
    const now = this.#now;
    this.#first ??= { ...now };
    const { high, low, fraction } = this.#first;
    return (
      ((now.high - high) * billion + (now.low - low) + (now.fraction - fraction)) / ticksPerSecond[this.#unit]
    );
  }

  /**
   * Returns a stamp given as a value instead of bytes, in seconds since the first stamp parsed; NaN if it is no stamp.
   */
  secondsOf(value: number | bigint | string): number {
    const bytes = Buffer.from(String(value), 'latin1');
    return this.seconds(bytes, 0, bytes.length);
  }

  #number(bytes: Buffer, from: number, to: number): boolean {
    let wholeEnd = from;
    while (wholeEnd < to && bytes[wholeEnd] >= 48 && bytes[wholeEnd] <= 57) wholeEnd++;
    const isPlain = wholeEnd === to || bytes[wholeEnd] === this.#decimal;
    // Numbers of up to 15 digits are exact as a double.
    if (to - from > 15 && isPlain && wholeEnd > from && wholeEnd - from <= 19)
      return this.#inParts(bytes, from, wholeEnd, to);
    const value = parseNumber(bytes, from, to, this.#decimal);
    return Number.isFinite(value) && this.#set(0, value, 0);
  }

  #inParts(bytes: Buffer, from: number, wholeEnd: number, to: number): boolean {
    const split = Math.max(from, wholeEnd - 9);
    const fraction = Number(`0.${bytes.toString('latin1', wholeEnd + 1, to) || 0}`);
    if (!Number.isFinite(fraction)) return false;
    return this.#set(
      Number(bytes.toString('latin1', from, split)),
      Number(bytes.toString('latin1', split, wholeEnd)),
      fraction,
    );
  }

  /** Parses `2024-05-01 12:00:00.123456`, as UTC if there is no zone. Returns false if the text is no such time. */
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

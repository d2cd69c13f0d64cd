import { counted } from '#core';
import type { Finding } from '#core/episode';
import { type CsvRecord, fieldText } from '../shared/text/csv-scanner.ts';

interface Issue {
  count: number;
  readonly line: number;
  readonly said: string;
}

/** Counts what of some rows of a CSV file does not fit, and remembers the first of each. */
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

  ragged(record: CsvRecord): void {
    if (this.#ragged !== null) this.#ragged.count++;
    else this.#ragged = { count: 1, line: record.line, said: String(record.fields) };
  }

  notANumber(record: CsvRecord, field: number): void {
    count(this.#numbers, record, field);
  }

  noStamp(record: CsvRecord, field: number): void {
    count(this.#stamps, record, field);
  }

  /** What was counted since this was last called. */
  takeFindings(): Finding[] {
    const found = this.#findings();
    this.#ragged = null;
    this.#numbers.clear();
    this.#stamps.clear();
    return found;
  }

  #findings(): Finding[] {
    const path = this.#path;
    const found: Finding[] = [];
    if (this.#ragged !== null) {
      const { count, line, said } = this.#ragged;
      found.push({
        code: 'rows_ragged',
        severity: 'warning',
        path,
        message: `${path}: ${counted(count, 'rows have')} not as many fields as the header has columns (${this.#names.length}); the first is line ${line} with ${said}`,
        advice: 'look at that line; fields that are not there count as missing, those beyond are left out',
        evidence: { rows: count, line },
      });
    }
    for (const [field, { count, line, said }] of this.#numbers)
      found.push({
        code: 'values_not_numeric',
        severity: 'warning',
        path,
        message: `${path}: ${counted(count, `values of ${this.#names[field]} are no numbers`)}; the first is ${said} on line ${line}`,
        advice: 'take units and separators out of the values, or take the column out of the mapping',
        evidence: { values: count, line },
      });
    for (const [field, { count, line, said }] of this.#stamps)
      found.push({
        code: 'stamps_unreadable',
        severity: 'error',
        path,
        message: `${path}: ${counted(count, 'rows have')} no stamp in ${this.#names[field]}; the first is ${said} on line ${line}`,
        advice: 'check the unit of the clock in the mapping, and the line named',
        evidence: { rows: count, line },
      });
    return found;
  }
}

function count(issues: Map<number, Issue>, record: CsvRecord, field: number): void {
  const known = issues.get(field);
  if (known !== undefined) known.count++;
  else {
    const said = field < record.fields ? JSON.stringify(fieldText(record, field).slice(0, 40)) : 'absent';
    issues.set(field, { count: 1, line: record.line, said });
  }
}

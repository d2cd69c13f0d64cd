import { deflateRawSync } from 'node:zlib';
import { packCodes } from './column.ts';
import type { EpisodeRow, ReportFile, UnscoredStatus } from './report-types.ts';

const rowsPerFile = 8192;
/** Component codes: 0..1000 is the score in thousandths, above are the statuses without a score. */
const unscoredCodes = { inapplicable: 1001, not_assessable: 1002, disabled: 1003 } as const satisfies Record<
  UnscoredStatus,
  number
>;
const missingComponentCode = 1004;

/** Collects the index page's table by column and returns it in files; repeated texts are replaced by numbers. */
export class RowTable {
  readonly #checks: readonly string[];
  readonly #kinds = new TextNumbering();
  readonly #tasks = new TextNumbering();
  readonly #flags = new TextNumbering();
  #columns = emptyColumns();
  #codes: Uint16Array;
  #parts = 0;

  constructor(checks: readonly string[]) {
    this.#checks = checks;
    this.#codes = new Uint16Array(checks.length * rowsPerFile);
  }

  /** Number of files returned so far. */
  get parts(): number {
    return this.#parts;
  }

  /** Texts that the numbers in the rows refer to. */
  get dictionaries() {
    return {
      kinds: this.#kinds.texts,
      tasks: this.#tasks.texts,
      flags: this.#flags.texts.map((text) => text.split('\n')),
    };
  }

  /** Adds a row; returns a file once `rowsPerFile` rows are collected, else nothing. */
  add(row: EpisodeRow, hasPoster: boolean): ReportFile[] {
    const columns = this.#columns;
    const at = columns.id.length * this.#checks.length;
    for (let c = 0; c < this.#checks.length; c++) this.#codes[at + c] = encodeComponent(row, this.#checks[c]);
    columns.id.push(row.id);
    columns.decision.push(row.decision);
    columns.score.push(row.score === null ? null : roundTo(row.score, 1e4));
    columns.graded.push(roundTo(row.graded_fraction, 1e3));
    columns.duration_s.push(roundTo(row.duration_s, 1e3));
    columns.kind.push(this.#kinds.numberOf(row.kind));
    columns.task.push(row.task === null ? -1 : this.#tasks.numberOf(row.task));
    columns.poster.push(hasPoster ? 1 : 0);
    columns.flags.push(row.flags.map((flag) => this.#flags.numberOf(flag.join('\n'))));
    return columns.id.length === rowsPerFile ? this.flush() : [];
  }

  /** Returns a file with the rows since the last one and starts anew; nothing if there are none. */
  flush(): ReportFile[] {
    const count = this.#columns.id.length;
    if (count === 0) return [];
    const components = packCodes(this.#codes, count * this.#checks.length);
    const content = formatDataFile('rows', this.#parts, [
      quoteJson(JSON.stringify({ ...this.#columns, components })),
    ]);
    const path = `data/rows-${this.#parts}.js`;
    this.#columns = emptyColumns();
    this.#parts++;
    return [{ path, content }];
  }
}

/** Numbers texts in the order of first use. */
class TextNumbering {
  readonly texts: string[] = [];
  readonly #known = new Map<string, number>();

  numberOf(text: string): number {
    let number = this.#known.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.#known.set(text, number);
    }
    return number;
  }
}

function emptyColumns() {
  return {
    id: [] as string[],
    decision: [] as string[],
    score: [] as (number | null)[],
    graded: [] as number[],
    duration_s: [] as number[],
    kind: [] as number[],
    task: [] as number[],
    poster: [] as number[],
    flags: [] as number[][],
  };
}

function encodeComponent(row: EpisodeRow, check: string): number {
  for (const [id, score] of row.components) {
    if (id === check) return typeof score === 'number' ? Math.round(1000 * score) : unscoredCodes[score];
  }
  return missingComponentCode;
}

function roundTo(value: number, scale: number): number {
  return Math.round(value * scale) / scale;
}

/**
 * Quotes JSON text as a JavaScript string literal in single quotes. The pages parse it as JSON; in an object literal
 * a hostile `__proto__` member would change the object.
 */
export function quoteJson(json: string): string {
  return `'${json.replace(/[\\']/g, '\\$&')}'`;
}

/**
 * Formats a JavaScript data file of texts without line breaks, joined and compressed, since episodes are similar. The
 * page unpacks it with `DecompressionStream`.
 */
export function formatPackedFile(slot: string, part: number, texts: readonly string[]): string {
  const packed = deflateRawSync(texts.join('\n'), { level: 5 }).toString('base64');
  return `assay.receive('${slot}', ${part}, ['${packed}'], 'deflate-raw');\n`;
}

/**
 * Formats a JavaScript data file that passes `items` (string literals) to the page that loads it as a script, because
 * `fetch` does not work on file://.
 */
export function formatDataFile(slot: string, part: number, items: readonly string[]): string {
  return `assay.receive('${slot}', ${part}, [\n${items.join(',\n')}\n]);\n`;
}

import { deflateRawSync } from 'node:zlib';
import { packCodes } from './pack.ts';
import type { EpisodeRow, ReportFile, UnscoredStatus } from './report-types.ts';

const rowsPerFile = 8192;
/** Component codes: 0..1000 the score in thousandths, above that why there is none. */
const unscored = { inapplicable: 1001, not_assessable: 1002, disabled: 1003 } as const satisfies Record<
  UnscoredStatus,
  number
>;
const noComponent = 1004;

/** The index page's table, kept by column and written in parts; texts that repeat are numbered. */
export class RowTable {
  readonly #checks: readonly string[];
  readonly #kinds = new Numbering();
  readonly #tasks = new Numbering();
  readonly #flags = new Numbering();
  #columns = emptyColumns();
  #codes: Uint16Array;
  #parts = 0;

  constructor(checks: readonly string[]) {
    this.#checks = checks;
    this.#codes = new Uint16Array(checks.length * rowsPerFile);
  }

  get parts(): number {
    return this.#parts;
  }

  /** What the numbers in the rows stand for. */
  get dictionaries() {
    return {
      kinds: this.#kinds.texts,
      tasks: this.#tasks.texts,
      flags: this.#flags.texts.map((text) => text.split('\n')),
    };
  }

  add(row: EpisodeRow, hasPoster: boolean): ReportFile[] {
    const columns = this.#columns;
    const at = columns.id.length * this.#checks.length;
    for (let c = 0; c < this.#checks.length; c++) this.#codes[at + c] = codeOf(row, this.#checks[c]);
    columns.id.push(row.id);
    columns.decision.push(row.decision);
    columns.score.push(row.score === null ? null : round(row.score, 1e4));
    columns.graded.push(round(row.graded_fraction, 1e3));
    columns.duration_s.push(round(row.duration_s, 1e3));
    columns.kind.push(this.#kinds.of(row.kind));
    columns.task.push(row.task === null ? -1 : this.#tasks.of(row.task));
    columns.poster.push(hasPoster ? 1 : 0);
    columns.flags.push(row.flags.map((flag) => this.#flags.of(flag.join('\n'))));
    return columns.id.length === rowsPerFile ? this.flush() : [];
  }

  flush(): ReportFile[] {
    const count = this.#columns.id.length;
    if (count === 0) return [];
    const components = packCodes(this.#codes, count * this.#checks.length);
    const content = dataFile('rows', this.#parts, [quoted(JSON.stringify({ ...this.#columns, components }))]);
    const path = `data/rows-${this.#parts}.js`;
    this.#columns = emptyColumns();
    this.#parts++;
    return [{ path, content }];
  }
}

/** Texts numbered in the order they are first met. */
class Numbering {
  readonly texts: string[] = [];
  readonly #known = new Map<string, number>();

  of(text: string): number {
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

function codeOf(row: EpisodeRow, check: string): number {
  for (const [id, score] of row.components) {
    if (id === check) return typeof score === 'number' ? Math.round(1000 * score) : unscored[score];
  }
  return noComponent;
}

function round(value: number, scale: number): number {
  return Math.round(value * scale) / scale;
}

/**
 * JSON text as a JavaScript string literal. The pages parse it as JSON: written as an object literal instead, a
 * hostile `__proto__` member would change what the object says.
 */
export function quoted(json: string): string {
  return `'${json.replace(/[\\']/g, '\\$&')}'`;
}

/**
 * The same with texts that hold no line break, packed: of what repeats from episode to episode little is left. The page
 * unpacks it with `DecompressionStream`.
 */
export function packedFile(slot: string, part: number, texts: readonly string[]): string {
  const packed = deflateRawSync(texts.join('\n'), { level: 5 }).toString('base64');
  return `assay.receive('${slot}', ${part}, ['${packed}'], 'deflate-raw');\n`;
}

/** A data file that hands `items` (string literals) to the page that loaded it; `fetch` does not work on file://. */
export function dataFile(slot: string, part: number, items: readonly string[]): string {
  return `assay.receive('${slot}', ${part}, [\n${items.join(',\n')}\n]);\n`;
}

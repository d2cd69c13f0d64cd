import { dataFile, quoted } from './data-file.ts';
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

import type { Finding } from '#core/episode';
import type { Mapping, StreamMapping } from './mapping.ts';
import type { TableColumn, TablePlan } from './table.ts';

/** How one stream is put together from columns. */
export interface StreamPlan {
  readonly mapping: StreamMapping;
  /** Places in the table plan's `numbers`; -1 where the file has no such column of numbers. */
  readonly parts: readonly number[];
  /** One name a part. */
  readonly columns: readonly string[];
  readonly precision: 'float32' | 'float64';
}

export interface ReadPlan {
  readonly table: TablePlan;
  readonly streams: readonly StreamPlan[];
  /** Columns of the clocks that the file has, in the order of the mapping. */
  readonly clocks: readonly Mapping['clocks'][number][];
  /** Places in the table plan's `texts`. */
  readonly task: number | null;
  readonly outcome: number | null;
  readonly findings: readonly Finding[];
}

/** Lays a mapping over the columns that a file has. What is not there is a finding. */
export function planColumns(mapping: Mapping, columns: readonly TableColumn[], path: string): ReadPlan {
  const planner = new Planner(columns, path);
  const streams = mapping.streams.map((stream) => planner.stream(stream));
  const clocks = mapping.clocks.filter(({ column }) => planner.has(column, 'clock'));
  const key = 'column' in mapping.episodes ? mapping.episodes.column : undefined;
  const task = typeof mapping.task === 'object' && 'column' in mapping.task ? mapping.task.column : null;
  const { numbers, texts, findings } = planner;
  const places = {
    task: planner.text(task, 'task'),
    outcome: planner.text(mapping.outcome?.column, 'outcome'),
  };
  return {
    table: {
      numbers,
      texts,
      stamps: clocks.map(({ column, unit }) => ({ column: planner.column(column) as TableColumn, unit })),
      key: key !== undefined && planner.has(key, 'episode') ? (planner.column(key) ?? null) : null,
    },
    streams,
    clocks,
    ...places,
    findings,
  };
}

class Planner {
  readonly numbers: TableColumn[] = [];
  readonly texts: TableColumn[] = [];
  readonly findings: Finding[] = [];
  readonly #columns: readonly TableColumn[];
  readonly #byName: ReadonlyMap<string, TableColumn>;
  readonly #path: string;

  constructor(columns: readonly TableColumn[], path: string) {
    this.#columns = columns;
    // The first of a name counts, as a reader of the file would take it.
    this.#byName = new Map(columns.toReversed().map((column) => [column.name, column]));
    this.#path = path;
    if (this.#byName.size < columns.length) this.findings.push(repeated(columns, path));
  }

  column(name: string): TableColumn | undefined {
    return this.#byName.get(name);
  }

  has(name: string, what: string): boolean {
    if (this.#byName.has(name)) return true;
    this.findings.push(this.#missing(name, `as ${what}`));
    return false;
  }

  text(name: string | null | undefined, what: string): number | null {
    if (name == null || !this.has(name, what)) return null;
    return this.texts.push(this.column(name) as TableColumn) - 1;
  }

  stream(mapping: StreamMapping): StreamPlan {
    const columns = mapping.columns.flatMap((name) => this.#expand(name, mapping.id));
    const parts = columns.map((name) => this.#number(name, mapping.id));
    const isNarrow = parts.every((part) => part >= 0 && this.numbers[part].precision === 'float32');
    return { mapping, parts, columns, precision: isNarrow ? 'float32' : 'float64' };
  }

  #expand(name: string, stream: string): readonly string[] {
    if (!name.includes('*') || this.#byName.has(name)) return [name];
    const source = name.split('*').map((text) => text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
    const expression = new RegExp(`^${source.join('.*')}$`);
    const found = this.#columns.filter((column) => expression.test(column.name)).map((column) => column.name);
    if (found.length === 0) this.findings.push(this.#missing(name, `for ${stream}`));
    return found;
  }

  #number(name: string, stream: string): number {
    const column = this.#byName.get(name);
    if (column === undefined) {
      this.findings.push(this.#missing(name, `for ${stream}`));
      return -1;
    }
    if (column.kind !== 'number' && column.kind !== 'list') {
      this.findings.push({
        code: 'column_not_numeric',
        severity: 'error',
        path: this.#path,
        message: `${this.#path}: the column ${name} of ${stream} holds no numbers`,
        advice: 'take it out of the mapping, or write numbers into it',
      });
      return -1;
    }
    const known = this.numbers.indexOf(column);
    return known >= 0 ? known : this.numbers.push(column) - 1;
  }

  #missing(name: string, what: string): Finding {
    const some = this.#columns.slice(0, 12).map((column) => column.name);
    const more = this.#columns.length > some.length ? ', …' : '';
    return {
      code: 'column_missing',
      severity: 'error',
      path: this.#path,
      message: `${this.#path} has no column ${name}, which the mapping names ${what}`,
      advice: `correct the mapping; the columns are ${some.join(', ')}${more}`,
    };
  }
}

function repeated(columns: readonly TableColumn[], path: string): Finding {
  const names = columns.map(({ name }) => name);
  const twice = [...new Set(names.filter((name, at) => names.indexOf(name) < at))].slice(0, 5);
  return {
    code: 'columns_repeated',
    severity: 'warning',
    path,
    message: `${path}: several columns are called ${twice.join(', ')}; the first of each is read`,
    advice: 'give every column a name of its own',
  };
}

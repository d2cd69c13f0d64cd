import type { SourceTree } from '#io/sources';
import { openTable } from '../open-table.ts';
import type { Table, TableChunk, TableColumn } from '../table.ts';

/** What the first rows of a column show. */
export interface ColumnFacts {
  readonly name: string;
  readonly kind: TableColumn['kind'];
  /** Of the rows looked at. */
  readonly rows: number;
  readonly missing: number;
  readonly low: number;
  readonly high: number;
  readonly is_whole: boolean;
  /** Never goes back, and moves. */
  readonly is_rising: boolean;
  readonly median_step: number;
  readonly distinct_texts: readonly string[];
}

const rowsLooked = 5000;
const textsKept = 5;

/** Looks at the first rows of a table. Throws what makes it unreadable. */
export async function lookAtColumns(tree: SourceTree, path: string): Promise<readonly ColumnFacts[]> {
  await using table = await openTable(tree, path, undefined);
  const numbers = table.columns.filter(({ kind }) => kind === 'number' || kind === 'list');
  const texts = table.columns.filter(({ kind }) => kind === 'number' || kind === 'text');
  const values = numbers.map((): number[] => []);
  const said = texts.map(() => new Set<string>());
  await eachRow(table, numbers, texts, (chunk, row) => {
    chunk.numbers.forEach(({ values: source, width }, at) => {
      values[at].push(width === 0 ? Number.NaN : source[row * width]);
    });
    said.forEach((set, at) => {
      const text = set.size < textsKept ? chunk.text(at, row) : null;
      if (text !== null) set.add(text);
    });
  });
  return table.columns.map((column) =>
    factsOf(column, values[numbers.indexOf(column)] ?? [], [...(said[texts.indexOf(column)] ?? [])]),
  );
}

async function eachRow(
  table: Table,
  numbers: readonly TableColumn[],
  texts: readonly TableColumn[],
  take: (chunk: TableChunk, row: number) => void,
): Promise<void> {
  let rows = 0;
  for await (const chunk of table.chunks({ numbers, texts, stamps: [], key: null })) {
    for (let row = 0; row < chunk.rows && rows < rowsLooked; row++, rows++) take(chunk, row);
    if (rows >= rowsLooked) return;
  }
}

function factsOf(
  { name, kind }: TableColumn,
  values: readonly number[],
  distinct_texts: readonly string[],
): ColumnFacts {
  const there = values.filter((value) => Number.isFinite(value));
  const steps = there.slice(1).map((value, at) => value - there[at]);
  const sorted = steps.toSorted((a, b) => a - b);
  const isText = kind === 'number' && there.length === 0 && distinct_texts.length > 0;
  return {
    name,
    kind: isText ? 'text' : kind,
    rows: values.length,
    missing: values.length - there.length,
    low: there.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    high: there.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    is_whole: there.length > 0 && there.every((value) => Number.isInteger(value)),
    is_rising: steps.length > 0 && sorted[0] >= 0 && sorted[sorted.length - 1] > 0,
    median_step: sorted[sorted.length >> 1] ?? Number.NaN,
    distinct_texts,
  };
}

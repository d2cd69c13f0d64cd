import { asUnreadable } from '#core';
import type { SourceTree } from '#io/sources';
import { type Chunk, chunks, rows as queryRows } from '../shared/parquet/chunks.ts';
import { parquetSource, sqlName } from '../shared/parquet/duck.ts';
import { parquetColumns } from '../shared/parquet/footer.ts';
import type { Table, TableChunk, TableColumn, TablePlan } from './table.ts';

const narrow = /^(FLOAT|BOOLEAN|U?TINYINT|U?SMALLINT)$/;
const numeric = /^(FLOAT|DOUBLE|BOOLEAN|U?TINYINT|U?SMALLINT|U?INTEGER|U?BIGINT|U?HUGEINT|DECIMAL\(.*\))$/;
const integer = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/;

interface SqlColumn extends TableColumn {
  readonly type: string;
}

/** Opens a Parquet file by its footer; rows come through DuckDB. Throws `unreadable_input`. */
export async function openParquet(tree: SourceTree, path: string): Promise<Table> {
  const held = await tree.hold([path]);
  try {
    const absolute = held.absolute(path);
    const columns = (await parquetColumns(absolute, path)).map(({ name, type }) => columnOf(name, type));
    return createTable({
      columns,
      absolute,
      path,
      bytes: tree.entry(path)?.bytes ?? 0,
      release: held.release,
    });
  } catch (thrown) {
    await held.release();
    throw thrown;
  }
}

function columnOf(name: string, type: string): SqlColumn {
  const base = type.replaceAll(/\[\d*\]/g, '');
  return { name, kind: kindOf(type, base), precision: narrow.test(base) ? 'float32' : 'float64', type };
}

function kindOf(type: string, base: string): TableColumn['kind'] {
  if (type.startsWith('TIMESTAMP')) return 'time';
  if (numeric.test(base)) return base === type ? 'number' : 'list';
  return type === 'VARCHAR' ? 'text' : 'other';
}

interface Opened {
  readonly columns: readonly SqlColumn[];
  readonly absolute: string;
  readonly path: string;
  readonly bytes: number;
  release(): Promise<void>;
}

function createTable({ columns, absolute, path, bytes, release }: Opened): Table {
  const source = parquetSource([absolute]);
  let origins: (bigint | null)[] = [];
  let position = 0;
  const sqlOf = (column: TableColumn) => columns.find(({ name }) => name === column.name) as SqlColumn;
  return {
    columns,
    get position() {
      return position;
    },
    async *chunks(plan) {
      try {
        const stamps = await Promise.all(
          plan.stamps.map(async ({ column, unit }) => stampOf(sqlOf(column), unit, source)),
        );
        origins = stamps.map(({ origin }) => origin);
        const sql = selectOf(plan, sqlOf, stamps, source);
        for await (const chunk of chunks(sql)) yield chunkOf(chunk, plan);
        position = bytes;
      } catch (thrown) {
        throw asUnreadable(thrown, path, 'the file is damaged or incomplete: copy or record it again');
      }
    },
    origins: () => origins,
    takeFindings: () => [],
    [Symbol.asyncDispose]: release,
  };
}

interface Stamp {
  readonly sql: string;
  readonly origin: bigint | null;
}

const perSecond = { s: 1, ms: 1e3, us: 1e6, ns: 1e9, iso8601: 1e9 } as const;

/** Seconds since the first stamp, taken off before integers become doubles. */
async function stampOf(
  { name, type, kind }: SqlColumn,
  unit: TablePlan['stamps'][number]['unit'],
  source: string,
): Promise<Stamp> {
  const column = sqlName(name);
  const isTime = kind === 'time' || unit === 'iso8601';
  const raw = !isTime ? column : `epoch_ns(${kind === 'time' ? column : `TRY_CAST(${column} AS TIMESTAMP)`})`;
  const whole = isTime || integer.test(type);
  const per = isTime ? 1e9 : perSecond[unit];
  // Wider than any integer column: what a stamp lies before the first one need not fit the column's own type.
  const value = `TRY_CAST(${raw} AS ${whole ? 'HUGEINT' : 'DOUBLE'})`;
  const isStamp = whole ? `(${value}) IS NOT NULL` : `isfinite(${value})`;
  const [first] = await queryRows(
    `SELECT (${value})::VARCHAR AS first FROM ${source} WHERE ${isStamp} LIMIT 1`,
  );
  if (first === undefined) return { sql: 'NULL::DOUBLE', origin: null };
  const text = String(first.first);
  const origin = whole ? BigInt(text) * BigInt(1e9 / per) : BigInt(Math.round(Number(text) * (1e9 / per)));
  const since = `(${value} - ${text}::${whole ? 'HUGEINT' : 'DOUBLE'})::DOUBLE / ${per}`;
  return { sql: whole ? since : `CASE WHEN ${isStamp} THEN ${since} END`, origin };
}

function selectOf(
  plan: TablePlan,
  sqlOf: (column: TableColumn) => SqlColumn,
  stamps: readonly Stamp[],
  source: string,
): string {
  const numbers = plan.numbers.map((column) => numberSql(sqlOf(column)));
  const key = plan.key === null ? [] : [`(hash(${sqlName(plan.key.name)}) >> 12)::DOUBLE`];
  const texts = [...plan.texts, ...(plan.key === null ? [] : [plan.key])].map(
    ({ name }) => `${sqlName(name)}::VARCHAR`,
  );
  const all = [...numbers, ...stamps.map(({ sql }) => sql), ...key, ...texts];
  return `SELECT ${all.length === 0 ? 'NULL::DOUBLE' : all.join(', ')} FROM ${source}`;
}

function numberSql({ name, type, kind, precision }: SqlColumn): string {
  const base = type.replaceAll(/\[\d*\]/g, '');
  const wanted = precision === 'float32' ? 'FLOAT' : 'DOUBLE';
  if (kind !== 'list') return base === wanted ? sqlName(name) : `${sqlName(name)}::${wanted}`;
  const depth = (type.match(/\[\d*\]/g) ?? []).length;
  let sql = /\[\d+\]/.test(type) ? `${sqlName(name)}::${base}${'[]'.repeat(depth)}` : sqlName(name);
  for (let level = 1; level < depth; level++) sql = `flatten(${sql})`;
  return base === wanted ? sql : `${sql}::${wanted}[]`;
}

function chunkOf(chunk: Chunk, plan: TablePlan): TableChunk {
  const keyAt = plan.numbers.length + plan.stamps.length;
  const textAt = keyAt + (plan.key === null ? 0 : 1);
  return {
    rows: chunk.rows,
    numbers: plan.numbers.map(({ kind }, at) =>
      kind === 'list' ? listNumbers(chunk, at) : { values: scalars(chunk, at), width: 1 },
    ),
    stamps: plan.stamps.map((_, at) => scalars(chunk, plan.numbers.length + at) as Float64Array),
    keys: plan.key === null ? null : (scalars(chunk, keyAt) as Float64Array),
    text: (column, row) => chunk.text(textAt + column, row),
  };
}

/** The engine's own array, which is not written to: nulls become NaN in a copy. */
function scalars(chunk: Chunk, column: number): Float32Array | Float64Array {
  const { values, nulls } = chunk.numbers(column);
  if (nulls === null) return values;
  const copy = values.slice(0, chunk.rows);
  for (let row = 0; row < chunk.rows; row++) if (nulls[row] === 1) copy[row] = Number.NaN;
  return copy;
}

const widest = 10_000;

/** Lists as rows of one width: that of the longest in the chunk; what is shorter ends in NaN. */
function listNumbers(chunk: Chunk, column: number): TableChunk['numbers'][number] {
  const { child, uniform, row } = chunk.lists(column);
  if (uniform !== null && child.nulls === null && uniform <= widest)
    return { values: child.values, width: uniform };
  let width = 0;
  for (let at = 0; at < chunk.rows; at++) width = Math.max(width, Math.min(row(at)[1], widest));
  const values = new Float64Array(chunk.rows * width).fill(Number.NaN);
  for (let at = 0; at < chunk.rows; at++) {
    const [offset, length] = row(at);
    for (let i = 0; i < Math.min(length, width); i++)
      if (child.nulls?.[offset + i] !== 1) values[at * width + i] = child.values[offset + i];
  }
  return { values, width };
}

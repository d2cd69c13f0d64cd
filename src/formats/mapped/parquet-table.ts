import { wrapReadError } from '#core';
import type { SourceTree } from '#io/sources';
import { type Chunk, fetchChunks, fetchRows as queryRows } from '../shared/parquet/chunks.ts';
import { parquetSource, sqlName } from '../shared/parquet/duck.ts';
import { parquetColumns } from '../shared/parquet/footer.ts';
import type { Table, TableChunk, TableColumn, TablePlan } from './table.ts';

const float32Type = /^(FLOAT|BOOLEAN|U?TINYINT|U?SMALLINT)$/;
const numericType =
  /^(FLOAT|DOUBLE|BOOLEAN|U?TINYINT|U?SMALLINT|U?INTEGER|U?BIGINT|U?HUGEINT|DECIMAL\(.*\))$/;
const integerType = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/;

interface SqlColumn extends TableColumn {
  readonly type: string;
}

/**
 * Opens a Parquet file as a table: columns come from its footer, rows are read with DuckDB; throws `unreadable_input`
 * if it is damaged.
 */
export async function openParquet(tree: SourceTree, path: string): Promise<Table> {
  const acquired = await tree.acquire([path]);
  try {
    const absolute = acquired.absolute(path);
    const columns = (await parquetColumns(absolute, path)).map(({ name, type }) => toSqlColumn(name, type));
    return createTable({
      columns,
      absolute,
      path,
      bytes: tree.entry(path)?.bytes ?? 0,
      release: acquired.release,
    });
  } catch (thrown) {
    await acquired.release();
    throw thrown;
  }
}

function toSqlColumn(name: string, type: string): SqlColumn {
  const base = type.replaceAll(/\[\d*\]/g, '');
  return {
    name,
    kind: columnKind(type, base),
    precision: float32Type.test(base) ? 'float32' : 'float64',
    type,
  };
}

function columnKind(type: string, base: string): TableColumn['kind'] {
  if (type.startsWith('TIMESTAMP')) return 'time';
  if (numericType.test(base)) return base === type ? 'number' : 'list';
  return type === 'VARCHAR' ? 'text' : 'other';
}

interface ParquetFile {
  readonly columns: readonly SqlColumn[];
  readonly absolute: string;
  readonly path: string;
  readonly bytes: number;
  release(): Promise<void>;
}

function createTable({ columns, absolute, path, bytes, release }: ParquetFile): Table {
  const source = parquetSource([absolute]);
  let origins: (bigint | null)[] = [];
  let position = 0;
  const findColumn = (column: TableColumn) => columns.find(({ name }) => name === column.name) as SqlColumn;
  return {
    columns,
    get position() {
      return position;
    },
    async *chunks(plan) {
      try {
        const stamps = await Promise.all(
          plan.stamps.map(async ({ column, unit }) => buildStamp(findColumn(column), unit, source)),
        );
        origins = stamps.map(({ origin }) => origin);
        const sql = buildSelect(plan, findColumn, stamps, source);
        for await (const chunk of fetchChunks(sql)) yield convertChunk(chunk, plan);
        position = bytes;
      } catch (thrown) {
        throw wrapReadError(thrown, path, 'the file is corrupt or incomplete: copy or record it again');
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

const ticksPerSecond = { s: 1, ms: 1e3, us: 1e6, ns: 1e9, iso8601: 1e9 } as const;

/** Builds the SQL for a clock in seconds since its first stamp, subtracted before integers are converted to doubles. */
async function buildStamp(
  { name, type, kind }: SqlColumn,
  unit: TablePlan['stamps'][number]['unit'],
  source: string,
): Promise<Stamp> {
  const column = sqlName(name);
  const isTime = kind === 'time' || unit === 'iso8601';
  const raw = !isTime ? column : `epoch_ns(${kind === 'time' ? column : `TRY_CAST(${column} AS TIMESTAMP)`})`;
  const isWhole = isTime || integerType.test(type);
  const ticks = isTime ? 1e9 : ticksPerSecond[unit];
  // HUGEINT is wider than any integer column, so differences to the first stamp cannot overflow.
  const value = `TRY_CAST(${raw} AS ${isWhole ? 'HUGEINT' : 'DOUBLE'})`;
  const isStamp = isWhole ? `(${value}) IS NOT NULL` : `isfinite(${value})`;
  const [first] = await queryRows(
    `SELECT (${value})::VARCHAR AS first FROM ${source} WHERE ${isStamp} LIMIT 1`,
  );
  if (first === undefined) return { sql: 'NULL::DOUBLE', origin: null };
  const text = String(first.first);
  const origin = isWhole
    ? BigInt(text) * BigInt(1e9 / ticks)
    : BigInt(Math.round(Number(text) * (1e9 / ticks)));
  const since = `(${value} - ${text}::${isWhole ? 'HUGEINT' : 'DOUBLE'})::DOUBLE / ${ticks}`;
  return { sql: isWhole ? since : `CASE WHEN ${isStamp} THEN ${since} END`, origin };
}

function buildSelect(
  plan: TablePlan,
  findColumn: (column: TableColumn) => SqlColumn,
  stamps: readonly Stamp[],
  source: string,
): string {
  const numbers = plan.numbers.map((column) => numberSql(findColumn(column)));
  const key = plan.key === null ? [] : [`(hash(${sqlName(plan.key.name)}) >> 12)::DOUBLE`];
  const texts = [...plan.texts, ...(plan.key === null ? [] : [plan.key])].map(
    ({ name }) => `${sqlName(name)}::VARCHAR`,
  );
  const all = [...numbers, ...stamps.map(({ sql }) => sql), ...key, ...texts];
  return `SELECT ${all.length === 0 ? 'NULL::DOUBLE' : all.join(', ')} FROM ${source}`;
}

function numberSql({ name, type, kind, precision }: SqlColumn): string {
  const base = type.replaceAll(/\[\d*\]/g, '');
  const sqlType = precision === 'float32' ? 'FLOAT' : 'DOUBLE';
  if (kind !== 'list') return base === sqlType ? sqlName(name) : `${sqlName(name)}::${sqlType}`;
  const depth = (type.match(/\[\d*\]/g) ?? []).length;
  let sql = /\[\d+\]/.test(type) ? `${sqlName(name)}::${base}${'[]'.repeat(depth)}` : sqlName(name);
  for (let level = 1; level < depth; level++) sql = `flatten(${sql})`;
  return base === sqlType ? sql : `${sql}::${sqlType}[]`;
}

function convertChunk(chunk: Chunk, plan: TablePlan): TableChunk {
  const keyAt = plan.numbers.length + plan.stamps.length;
  const textAt = keyAt + (plan.key === null ? 0 : 1);
  return {
    rows: chunk.rows,
    numbers: plan.numbers.map(({ kind }, at) =>
      kind === 'list' ? listNumbers(chunk, at) : { values: readScalars(chunk, at), width: 1 },
    ),
    stamps: plan.stamps.map((_, at) => readScalars(chunk, plan.numbers.length + at) as Float64Array),
    keys: plan.key === null ? null : (readScalars(chunk, keyAt) as Float64Array),
    text: (column, row) => chunk.text(textAt + column, row),
  };
}

/** Returns the engine's array, or a copy with NaN for nulls: the engine's memory must not be written to. */
function readScalars(chunk: Chunk, column: number): Float32Array | Float64Array {
  const { values, nulls } = chunk.numbers(column);
  if (nulls === null) return values;
  const copy = values.slice(0, chunk.rows);
  for (let row = 0; row < chunk.rows; row++) if (nulls[row] === 1) copy[row] = Number.NaN;
  return copy;
}

const maxListWidth = 10_000;

/** Returns lists as rows as wide as the longest list of the chunk; shorter ones are padded with NaN. */
function listNumbers(chunk: Chunk, column: number): TableChunk['numbers'][number] {
  const { child, uniform, row } = chunk.lists(column);
  if (uniform !== null && child.nulls === null && uniform <= maxListWidth)
    return { values: child.values, width: uniform };
  let width = 0;
  for (let at = 0; at < chunk.rows; at++) width = Math.max(width, Math.min(row(at)[1], maxListWidth));
  const values = new Float64Array(chunk.rows * width).fill(Number.NaN);
  for (let at = 0; at < chunk.rows; at++) {
    const [offset, length] = row(at);
    for (let i = 0; i < Math.min(length, width); i++)
      if (child.nulls?.[offset + i] !== 1) values[at * width + i] = child.values[offset + i];
  }
  return { values, width };
}

import { wrapReadError } from '#core';
import type { LocalFiles, SourceTree } from '#io/sources';
import { fetchRows } from './chunks.ts';
import { escapeGlob, parquetSource, sqlName, sqlText } from './duck.ts';

/** Column of a Parquet file. */
export interface ParquetColumn {
  readonly name: string;
  /** DuckDB type, such as `FLOAT[]`, `BIGINT` or `STRUCT(bytes BLOB, path VARCHAR)`. */
  readonly type: string;
}

/**
 * Returns name and DuckDB type of each column of a Parquet file, in order; throws `unreadable_input` naming `label`.
 */
export async function parquetColumns(path: string, label: string): Promise<ParquetColumn[]> {
  const answer = await orUnreadable(label, fetchRows(`DESCRIBE SELECT * FROM ${parquetSource([path])}`));
  return answer.map((row) => ({ name: String(row.column_name), type: String(row.column_type) }));
}

/** Returns the row count from the footer; throws `unreadable_input` naming `label`. */
export async function parquetRowCount(path: string, label: string): Promise<number> {
  const answer = await orUnreadable(
    label,
    fetchRows(`SELECT num_rows FROM parquet_file_metadata(${sqlText(escapeGlob(path))})`),
  );
  return Number(answer[0]?.num_rows ?? 0);
}

/**
 * Returns [min, max] of a numeric column, using statistics where the file has them, `null` if it has no value; throws
 * `unreadable_input` naming `label`.
 */
export async function parquetRange(
  path: string,
  column: string,
  label: string,
): Promise<readonly [number, number] | null> {
  const name = sqlName(column);
  const value = (of: 'min' | 'max') => `TRY_CAST(${of}(${name}) AS DOUBLE)`;
  const sql = `SELECT ${value('min')} AS low, ${value('max')} AS high FROM ${parquetSource([path])}`;
  const [row] = await orUnreadable(label, fetchRows(sql));
  return row === undefined || row.low === null || row.high === null
    ? null
    : [Number(row.low), Number(row.high)];
}

/**
 * Returns [min, max] of an integer column from footer statistics only, `null` if a row group has none; throws
 * `unreadable_input` naming `label`.
 */
export async function parquetStatistics(
  path: string,
  column: string,
  label: string,
): Promise<readonly [number, number] | null> {
  const sql = `SELECT min(try_cast(coalesce(stats_min_value, stats_min) AS BIGINT)) AS low,
      max(try_cast(coalesce(stats_max_value, stats_max) AS BIGINT)) AS high,
      bool_and(coalesce(stats_min_value, stats_min) IS NOT NULL AND coalesce(stats_max_value, stats_max) IS NOT NULL) AS said
    FROM parquet_metadata(${sqlText(escapeGlob(path))}) WHERE path_in_schema = ${sqlText(column)}`;
  const [row] = await orUnreadable(label, fetchRows(sql));
  return row?.said !== true || row.low === null || row.high === null
    ? null
    : [Number(row.low), Number(row.high)];
}

/** Returns the key-value metadata of the footer, values as text; throws `unreadable_input` naming `label`. */
export async function parquetKeyValues(path: string, label: string): Promise<Map<string, string>> {
  const sql = `SELECT key::VARCHAR AS k, value::VARCHAR AS v FROM parquet_kv_metadata(${sqlText(escapeGlob(path))})`;
  const answer = await orUnreadable(label, fetchRows(sql));
  return new Map(answer.map((row) => [unescapeBlob(row.k), unescapeBlob(row.v)]));
}

/** Decodes DuckDB's \xHH escapes of non-ASCII bytes as UTF-8. */
function unescapeBlob(value: unknown): string {
  const bytes: number[] = [];
  const text = String(value);
  for (let i = 0; i < text.length; i++) {
    const escaped = text[i] === '\\' && text[i + 1] === 'x';
    bytes.push(escaped ? Number.parseInt(text.slice(i + 2, i + 4), 16) : text.charCodeAt(i));
    if (escaped) i += 3;
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/**
 * Returns a signature of each file's schema, from the footers: equal signatures mean equal columns; unreadable files
 * are left out.
 */
export async function parquetSignatures(paths: readonly string[]): Promise<Map<string, string>> {
  const all = await readSignatures(paths).catch(() => null);
  if (all !== null) return all;
  const found = new Map<string, string>();
  for (const path of paths) {
    for (const entry of (await readSignatures([path]).catch(() => null)) ?? []) found.set(...entry);
  }
  return found;
}

async function readSignatures(paths: readonly string[]): Promise<Map<string, string>> {
  const list = paths.map((path) => sqlText(escapeGlob(path))).join(', ');
  const sql = `SELECT file_name, string_agg(concat_ws(':', name, type, num_children, converted_type, logical_type), ',' ORDER BY column_id) AS signature
    FROM parquet_schema([${list}]) GROUP BY file_name`;
  const answer = await fetchRows(sql);
  return new Map(answer.map((row) => [String(row.file_name), String(row.signature)]));
}

async function orUnreadable<T>(label: string, work: Promise<T>): Promise<T> {
  return work.catch((thrown) => {
    throw wrapReadError(
      thrown,
      label,
      'the file is damaged, incomplete or not Parquet; copy or record it again',
    );
  });
}

/** Bytes after the footer: its length and `PAR1`. */
const trailerBytes = 8;
const minParquetBytes = 2 * trailerBytes;

/**
 * Provides a local file from which the footer of a Parquet file (columns, counts, statistics, key-value metadata) can
 * be read, but perhaps no rows: from a remote store only the footer is fetched.
 */
export async function acquireFooter(tree: SourceTree, path: string): Promise<LocalFiles> {
  const bytes = tree.entry(path)?.bytes ?? 0;
  if (tree.store === null || bytes < minParquetBytes) return tree.acquire([path]);
  const trailer = new Uint8Array(trailerBytes);
  await using file = await tree.openFile(path);
  await file.read(trailer, 0, trailerBytes, bytes - trailerBytes);
  const footer = new DataView(trailer.buffer).getUint32(0, true);
  return tree.acquireTail(path, Math.min(bytes, footer + trailerBytes));
}

import { asUnreadable } from '#core';
import { rows } from './chunks.ts';
import { escapeGlob, parquetSource, sqlName, sqlText } from './duck.ts';

export interface ParquetColumn {
  readonly name: string;
  /** As DuckDB calls it: `FLOAT[]`, `BIGINT`, `STRUCT(bytes BLOB, path VARCHAR)`. */
  readonly type: string;
}

/** Columns of a file as DuckDB reads them. Throws `unreadable_input` naming `label`. */
export async function parquetColumns(path: string, label: string): Promise<ParquetColumn[]> {
  const answer = await orUnreadable(label, rows(`DESCRIBE SELECT * FROM ${parquetSource([path])}`));
  return answer.map((row) => ({ name: String(row.column_name), type: String(row.column_type) }));
}

/** Rows by the footer alone. */
export async function parquetRowCount(path: string, label: string): Promise<number> {
  const answer = await orUnreadable(
    label,
    rows(`SELECT num_rows FROM parquet_file_metadata(${sqlText(escapeGlob(path))})`),
  );
  return Number(answer[0]?.num_rows ?? 0);
}

/** Least and greatest value of an integer column, from statistics where the file has them; null for no value. */
export async function parquetRange(
  path: string,
  column: string,
  label: string,
): Promise<readonly [number, number] | null> {
  const name = sqlName(column);
  const value = (of: 'min' | 'max') => `TRY_CAST(${of}(${name}) AS DOUBLE)`;
  const sql = `SELECT ${value('min')} AS low, ${value('max')} AS high FROM ${parquetSource([path])}`;
  const [row] = await orUnreadable(label, rows(sql));
  return row === undefined || row.low === null || row.high === null
    ? null
    : [Number(row.low), Number(row.high)];
}

/** The same by the footer alone; null where its statistics do not say for every row group. */
export async function parquetStatistics(
  path: string,
  column: string,
  label: string,
): Promise<readonly [number, number] | null> {
  const sql = `SELECT min(try_cast(coalesce(stats_min_value, stats_min) AS BIGINT)) AS low,
      max(try_cast(coalesce(stats_max_value, stats_max) AS BIGINT)) AS high,
      bool_and(coalesce(stats_min_value, stats_min) IS NOT NULL AND coalesce(stats_max_value, stats_max) IS NOT NULL) AS said
    FROM parquet_metadata(${sqlText(escapeGlob(path))}) WHERE path_in_schema = ${sqlText(column)}`;
  const [row] = await orUnreadable(label, rows(sql));
  return row?.said !== true || row.low === null || row.high === null
    ? null
    : [Number(row.low), Number(row.high)];
}

/** Key-value metadata of the footer, values as text. */
export async function parquetKeyValues(path: string, label: string): Promise<Map<string, string>> {
  const sql = `SELECT key::VARCHAR AS k, value::VARCHAR AS v FROM parquet_kv_metadata(${sqlText(escapeGlob(path))})`;
  const answer = await orUnreadable(label, rows(sql));
  return new Map(answer.map((row) => [unescapeBlob(row.k), unescapeBlob(row.v)]));
}

/** DuckDB prints bytes outside ASCII as \xHH. */
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
 * One text a file that tells two files' columns apart, by footers alone. Files that cannot be read are missing from
 * the answer.
 */
export async function parquetSignatures(paths: readonly string[]): Promise<Map<string, string>> {
  const all = await signaturesOf(paths).catch(() => null);
  if (all !== null) return all;
  const found = new Map<string, string>();
  for (const path of paths) {
    for (const entry of (await signaturesOf([path]).catch(() => null)) ?? []) found.set(...entry);
  }
  return found;
}

async function signaturesOf(paths: readonly string[]): Promise<Map<string, string>> {
  const list = paths.map((path) => sqlText(escapeGlob(path))).join(', ');
  const sql = `SELECT file_name, string_agg(concat_ws(':', name, type, num_children, converted_type, logical_type), ',' ORDER BY column_id) AS signature
    FROM parquet_schema([${list}]) GROUP BY file_name`;
  const answer = await rows(sql);
  return new Map(answer.map((row) => [String(row.file_name), String(row.signature)]));
}

async function orUnreadable<T>(label: string, work: Promise<T>): Promise<T> {
  return work.catch((thrown) => {
    throw asUnreadable(
      thrown,
      label,
      'the file is damaged, incomplete or not Parquet: copy or record it again',
    );
  });
}

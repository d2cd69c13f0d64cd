import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError } from '#core';
import { sqlName, sqlText } from '../../../shared/parquet/duck.ts';
import type { EditedFeature } from '../../../shared/write/edits/export-edit.ts';
import { allRows } from '../layouts/layout.ts';
import { languageTypes } from './language-features.ts';

/**
 * Returns true for a column `language_persistent` with LeRobot's type, a list of texts with timestamps. Each text is
 * valid from its time until the next of its style.
 */
export const isPersistentColumn = (name: string, type: string): boolean =>
  name === 'language_persistent' && type.includes('timestamp') && type.endsWith('[]');

/** Tolerance in rows between a float32 timestamp and its row. */
const rowTolerance_rows = 0.01;

/**
 * Returns the SQL expression for the `language_persistent` column of a copied episode: unchanged if it is complete,
 * else with times from its first row. Of each style the last earlier text is valid from 0, and texts after its last row
 * are dropped.
 */
export function cutPersistentTexts({ source }: EditedFeature, type: string, rate_hz: number): string {
  const column = `d.${sqlName(source)}`;
  const rowOf = (word: string) => `(${word}."timestamp" * ${rate_hz}::DOUBLE - k.first)`;
  const same = ['style', 'role', 'camera'].filter((name) => type.includes(name));
  const alike = same.map((name) => `y.${sqlName(name)} IS NOT DISTINCT FROM x.${sqlName(name)}`);
  const later = [...alike, `${rowOf('y')} <= ${rowTolerance_rows}`, 'y."timestamp" > x."timestamp"'].join(
    ' AND ',
  );
  const texts = `list_filter(${column}, lambda x : ${rowOf('x')} < k.rows - ${rowTolerance_rows}
    AND len(list_filter(${column}, lambda y : ${later})) = 0)`;
  const row = rowOf('x');
  const snapped = `CASE WHEN abs(${row} - round(${row})) < ${rowTolerance_rows} THEN round(${row}) ELSE ${row} END`;
  const stamp = `greatest(${snapped}, 0) / ${rate_hz}::DOUBLE`;
  const moved = `list_transform(${texts}, lambda x : struct_update(x, "timestamp" := ${stamp}))`;
  return `CASE WHEN k.rows = ${allRows} THEN ${column} ELSE CAST(${moved} AS ${type}) END`;
}

/** Index range of episodes in the new set, inclusive. */
type EpisodeRange = readonly [from: number, until: number];

/**
 * Returns a query over `rows` with LeRobot's language columns, in which texts of the table `language_rows` replace
 * existing texts of the same styles; throws if such a column has another type. Text is joined to sorted rows, since it
 * is much wider.
 * @throws AssayError `unreadable_input`
 */
export async function addLanguageColumns(
  connection: DuckDBConnection,
  rows: string,
  [from, until]: EpisodeRange,
): Promise<string> {
  const read = await connection.runAndReadAll(`DESCRIBE ${rows}`);
  const types = new Map(read.getRows().map(([name, type]) => [String(name), String(type)]));
  const type = types.get('language_persistent');
  if (type !== undefined && !isPersistentColumn('language_persistent', type))
    throw createForeignColumnError(type);
  const merged = type === undefined ? '' : ` REPLACE (${mergeTexts(type)} AS language_persistent)`;
  const texts = `coalesce(s.rows, []::${languageTypes.language_persistent}) AS language_persistent`;
  const events = `[]::${languageTypes.language_events} AS language_events`;
  const columns = [
    `o.*${merged}`,
    ...(type === undefined ? [texts] : []),
    ...(types.has('language_events') ? [] : [events]),
  ];
  // Only these episodes: a table that exceeds memory would be joined in another order.
  const own = `(SELECT * FROM language_rows WHERE index BETWEEN ${from} AND ${until})`;
  return `SELECT ${columns.join(', ')} FROM (${rows}) AS o LEFT JOIN ${own} AS s ON s.index = o.episode_index`;
}

/** Throws `internal` if the rows of a written file are out of order, since a join guarantees none. */
export async function requireRowOrder(connection: DuckDBConnection, path: string): Promise<void> {
  const read = await connection.runAndReadAll(
    `SELECT count(DISTINCT "index" - file_row_number) FROM read_parquet(${sqlText(path)}, file_row_number = true)`,
  );
  if (Number(read.getRows()[0][0]) > 1)
    throw new AssayError('internal', `the rows of ${path} are out of order`, { path });
}

/** Returns the SQL expression that replaces existing texts of the same styles. */
function mergeTexts(type: string): string {
  const words = 'o.language_persistent';
  const styles = 'list_transform(s.rows, lambda y : y.style)';
  const others = type.includes('style')
    ? `list_filter(${words}, lambda x : NOT coalesce(list_contains(${styles}, x.style), false))`
    : words;
  return `CASE WHEN s.index IS NULL THEN ${words} ELSE list_concat(${others}, CAST(s.rows AS ${type})) END`;
}

const createForeignColumnError = (type: string): AssayError =>
  new AssayError(
    'unreadable_input',
    `the column language_persistent does not have the type that LeRobot uses: ${type}`,
    {
      advice: 'drop it with --drop language_persistent, or export without --annotations',
    },
  );

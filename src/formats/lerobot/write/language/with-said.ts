import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError } from '#core';
import { quoted } from '../sql.ts';
import { isPersistent } from './language-columns.ts';
import { languageTypes } from './language-features.ts';

/** Places of the first and the last of some episodes in the new set. */
type EpisodeRange = readonly [from: number, until: number];

/**
 * Rows with LeRobot's language columns, in their order: what the table `said` has of each episode replaces what the rows say
 * in the same styles. Text is put to rows that are sorted already, since it is much wider than they are. Throws
 * `unreadable_input` where the rows have such a column of another type.
 */
export async function rowsWithSaid(
  connection: DuckDBConnection,
  rows: string,
  [from, until]: EpisodeRange,
): Promise<string> {
  const read = await connection.runAndReadAll(`DESCRIBE ${rows}`);
  const types = new Map(read.getRows().map(([name, type]) => [String(name), String(type)]));
  const type = types.get('language_persistent');
  if (type !== undefined && !isPersistent('language_persistent', type)) throw notLeRobot(type);
  const merged = type === undefined ? '' : ` REPLACE (${wordsWithSaid(type)} AS language_persistent)`;
  const said = `coalesce(s.rows, []::${languageTypes.language_persistent}) AS language_persistent`;
  const events = `[]::${languageTypes.language_events} AS language_events`;
  const columns = [
    `o.*${merged}`,
    ...(type === undefined ? [said] : []),
    ...(types.has('language_events') ? [] : [events]),
  ];
  // Of these episodes only: a table that does not fit into memory is joined in another order.
  const own = `(SELECT * FROM said WHERE index BETWEEN ${from} AND ${until})`;
  return `SELECT ${columns.join(', ')} FROM (${rows}) AS o LEFT JOIN ${own} AS s ON s.index = o.episode_index`;
}

/** A join promises no order, so that it is looked at. */
export async function demandOrder(connection: DuckDBConnection, path: string): Promise<void> {
  const read = await connection.runAndReadAll(
    `SELECT count(DISTINCT "index" - file_row_number) FROM read_parquet(${quoted(path)}, file_row_number = true)`,
  );
  if (Number(read.getRows()[0][0]) > 1)
    throw new AssayError('internal', `the rows of ${path} came out of order`, { path });
}

function wordsWithSaid(type: string): string {
  const words = 'o.language_persistent';
  const styles = 'list_transform(s.rows, lambda y : y.style)';
  const others = type.includes('style')
    ? `list_filter(${words}, lambda x : NOT coalesce(list_contains(${styles}, x.style), false))`
    : words;
  return `CASE WHEN s.index IS NULL THEN ${words} ELSE list_concat(${others}, CAST(s.rows AS ${type})) END`;
}

const notLeRobot = (type: string): AssayError =>
  new AssayError('unreadable_input', `the set has a language_persistent that is not LeRobot’s: ${type}`, {
    advice: 'leave it out with --drop language_persistent, or export without --annotations',
  });

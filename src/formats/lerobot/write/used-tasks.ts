import type { DuckDBConnection } from '@duckdb/node-api';
import type { KeptEpisode } from './kept-episode.ts';
import { readOf } from './read-of.ts';
import { named } from './sql.ts';

/** Source files that are looked at together. */
const files_at_once = 256;

interface UsedTasksOptions {
  readonly set: number;
  /** Of all sets. */
  readonly episodes: readonly KeptEpisode[];
  /** Text by task_index, of the set. */
  readonly texts: ReadonlyMap<number, string>;
  readonly signal: AbortSignal;
}

/**
 * Tasks that rows of kept episodes of a set have, by their index there; and the columns beside `task_index` that index
 * the table of tasks as GR00T's `annotation.*` do: integers, each of them a task of the table.
 */
export async function usedTasks(
  connection: DuckDBConnection,
  { set, texts, signal, episodes: all }: UsedTasksOptions,
): Promise<{ readonly tasks: readonly number[]; readonly columns: readonly string[] }> {
  const found = new Map<string, Set<number | null>>();
  const episodes = all.filter(({ source }) => source === set);
  for (let first = 0; first < episodes.length; first += files_at_once) {
    signal.throwIfAborted();
    const rows = readOf(episodes.slice(first, first + files_at_once));
    for (const column of await taskColumns(connection, rows)) {
      const values = found.get(column) ?? new Set();
      found.set(column, values);
      const read = await connection.runAndReadAll(
        `SELECT DISTINCT d.${named(column)} FROM ${rows} AS d JOIN kept AS k ON d.episode_index = k.source AND k.set = ${set}`,
      );
      for (const [value] of read.getRows()) values.add(value === null ? null : Number(value));
    }
  }
  const isTask = (value: number | null): value is number => value !== null && texts.has(value);
  const columns = [...found.keys()].filter(
    (name) => name !== 'task_index' && [...(found.get(name) ?? [])].every(isTask),
  );
  const used = ['task_index', ...columns].flatMap((name) => [...(found.get(name) ?? [])].filter(isTask));
  return { tasks: [...new Set(used)].sort((a, b) => a - b), columns };
}

/** `task_index`, and the integers that GR00T calls annotations. */
async function taskColumns(connection: DuckDBConnection, rows: string): Promise<string[]> {
  const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${rows}`);
  return read
    .getRows()
    .filter(
      ([name, type]) =>
        name === 'task_index' || (String(name).startsWith('annotation.') && String(type).endsWith('INT')),
    )
    .map(([name]) => String(name));
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError, type JsonObject, parseTolerantJsonLines } from '#core';
import type { CopySource } from './set-info.ts';
import { quoted, named as sqlName } from './sql.ts';
import { type StatisticsByFeature, StatisticsLines } from './statistics/statistics-lines.ts';

/** The engine gives names in any order, and an export is the same each time. */
function placeOf(column: string): number {
  const place = ['min', 'max', 'mean', 'std', 'count'].indexOf(column.slice(column.lastIndexOf('/') + 1));
  return place === -1 ? 5 : place;
}

/** The tables of a LeRobot set, of version 2 or 3, that an export takes over. */
export class SourceTables {
  readonly root: string;
  /** The source's own name of a feature, by the name that it gets. */
  readonly #own: ReadonlyMap<string, string>;
  readonly #connection: DuckDBConnection;
  #episodeColumns: readonly string[] | null = null;
  #lines: StatisticsLines | null = null;

  constructor({ root, names }: CopySource, connection: DuckDBConnection) {
    this.root = root;
    this.#own = new Map(Object.entries(names).map(([own, name]) => [name, own]));
    this.#connection = connection;
  }

  get isV3(): boolean {
    return existsSync(join(this.root, 'meta/episodes'));
  }

  /** Text by task_index. */
  async tasks(): Promise<Map<number, string>> {
    const table = join(this.root, 'meta/tasks.parquet');
    if (!existsSync(table)) return this.#taskLines();
    // pandas calls an index without a name so.
    const columns = await this.#columns(table);
    const text = columns.find((name) => name === 'task' || name === '__index_level_0__') ?? 'task';
    const rows = await this.#rows(
      `SELECT task_index, ${sqlName(text)} AS task FROM read_parquet(${quoted(table)})`,
    );
    return new Map(rows.map(([index, task]) => [Number(index), String(task)]));
  }

  async #taskLines(): Promise<Map<number, string>> {
    const path = join(this.root, 'meta/tasks.jsonl');
    const bytes = await readFile(path).catch((thrown: unknown) => {
      throw this.#unreadable(thrown);
    });
    const { values } = parseTolerantJsonLines(bytes, path);
    return new Map(
      values.flatMap((line) => {
        const { task_index, task } = (line ?? {}) as JsonObject;
        return typeof task_index === 'number' ? [[task_index, String(task)] as const] : [];
      }),
    );
  }

  /** What the set says of some episodes, of these features only: by episode_index. */
  async statistics(
    features: readonly string[],
    episodes: readonly number[],
  ): Promise<Map<number, StatisticsByFeature>> {
    if (features.length === 0) return new Map();
    const own = features.map((key) => this.#own.get(key) ?? key);
    const read = await this.#ownStatistics(own, episodes);
    const named = (all: StatisticsByFeature) =>
      Object.fromEntries(own.flatMap((key, at) => (key in all ? [[features[at], all[key]]] : [])));
    return new Map([...read].map(([episode, all]) => [episode, named(all)]));
  }

  async #ownStatistics(features: readonly string[], episodes: readonly number[]) {
    if (this.isV3) return this.#statisticsV3(features, episodes);
    this.#lines ??= await StatisticsLines.open(join(this.root, 'meta/episodes_stats.jsonl'));
    return this.#lines.read(features, episodes);
  }

  async close(): Promise<void> {
    await this.#lines?.close();
  }

  async #statisticsV3(
    features: readonly string[],
    episodes: readonly number[],
  ): Promise<Map<number, StatisticsByFeature>> {
    const files = join(this.root, 'meta/episodes/*/*.parquet');
    this.#episodeColumns ??= await this.#columns(files);
    const named = this.#episodeColumns.flatMap((column) => {
      const feature = features.find((key) => column.startsWith(`stats/${key}/`));
      return feature === undefined ? [] : [{ column, feature, name: column.split('/').at(-1) ?? '' }];
    });
    if (named.length === 0) return new Map();
    const values = named.map(({ column }) => `to_json(${sqlName(column)})::VARCHAR`).join(', ');
    const rows = await this.#rows(
      `SELECT episode_index, ${values} FROM read_parquet(${quoted(files)}, union_by_name = true)
       WHERE episode_index IN (${episodes.join(', ')})`,
    );
    return new Map(
      rows.map(([index, ...texts]) => {
        const all: Record<string, Record<string, unknown>> = {};
        for (const [place, { feature, name }] of named.entries()) {
          all[feature] ??= {};
          if (texts[place] !== null) all[feature][name] = JSON.parse(String(texts[place]));
        }
        return [Number(index), all];
      }),
    );
  }

  async #columns(files: string): Promise<string[]> {
    const rows = await this.#rows(`SELECT DISTINCT name FROM parquet_schema(${quoted(files)}) ORDER BY name`);
    return rows.map(([name]) => String(name)).sort((a, b) => placeOf(a) - placeOf(b));
  }

  async #rows(sql: string): Promise<unknown[][]> {
    try {
      return (await this.#connection.runAndReadAll(sql)).getRowsJson() as unknown[][];
    } catch (thrown) {
      throw this.#unreadable(thrown);
    }
  }

  #unreadable(thrown: unknown): AssayError {
    return new AssayError('unreadable_input', `a table of ${this.root} could not be read: ${thrown}`, {
      path: this.root,
      advice: 'assay assess names the file; mend it first',
    });
  }
}

import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AssayError, type JsonObject, messageOf, parseTolerantJson, parseTolerantJsonLines } from '#core';
import { sqlName, sqlText } from '../../shared/parquet/duck.ts';
import type { CopySource } from './features.ts';

/**
 * Returns the sort position of a statistics column, so that exports are reproducible: the engine returns names in any
 * order.
 */
function statisticOrder(column: string): number {
  const place = ['min', 'max', 'mean', 'std', 'count'].indexOf(column.slice(column.lastIndexOf('/') + 1));
  return place === -1 ? 5 : place;
}

/** Reads the tables of a source set (v2 or v3) that a copy takes over. */
export class SourceTables {
  readonly root: string;
  /** Source feature name by new name. */
  readonly #sourceNames: ReadonlyMap<string, string>;
  readonly #connection: DuckDBConnection;
  #episodeColumns: readonly string[] | null = null;
  #lines: StatisticsLines | null = null;

  constructor({ root, names }: CopySource, connection: DuckDBConnection) {
    this.root = root;
    this.#sourceNames = new Map(Object.entries(names).map(([own, name]) => [name, own]));
    this.#connection = connection;
  }

  /** True if the set has a v3 episodes table. */
  get isV3(): boolean {
    return existsSync(join(this.root, 'meta/episodes'));
  }

  /** Reads the task texts by task_index, from tasks.parquet or else tasks.jsonl. Throws `unreadable_input`. */
  async tasks(): Promise<Map<number, string>> {
    const table = join(this.root, 'meta/tasks.parquet');
    if (!existsSync(table)) return this.#taskLines();
    // Name that pandas gives to an unnamed index.
    const columns = await this.#columns(table);
    const text = columns.find((name) => name === 'task' || name === '__index_level_0__') ?? 'task';
    const rows = await this.#rows(
      `SELECT task_index, ${sqlName(text)} AS task FROM read_parquet(${sqlText(table)})`,
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

  /**
   * Reads the stored statistics of features, given by their new names, and of episodes, by episode_index; those that
   * are not stored are left out. Throws `unreadable_input`.
   */
  async statistics(
    features: readonly string[],
    episodes: readonly number[],
  ): Promise<Map<number, StatisticsByFeature>> {
    if (features.length === 0) return new Map();
    const own = features.map((key) => this.#sourceNames.get(key) ?? key);
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

  /** Closes the file of episode statistics, if one was opened. */
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
      `SELECT episode_index, ${values} FROM read_parquet(${sqlText(files)}, union_by_name = true)
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
    const rows = await this.#rows(
      `SELECT DISTINCT name FROM parquet_schema(${sqlText(files)}) ORDER BY name`,
    );
    return rows.map(([name]) => String(name)).sort((a, b) => statisticOrder(a) - statisticOrder(b));
  }

  async #rows(sql: string): Promise<unknown[][]> {
    try {
      return (await this.#connection.runAndReadAll(sql)).getRowsJson() as unknown[][];
    } catch (thrown) {
      throw this.#unreadable(thrown);
    }
  }

  #unreadable(thrown: unknown): AssayError {
    return new AssayError('unreadable_input', `cannot read a Parquet table of ${this.root}: ${thrown}`, {
      path: this.root,
      advice: 'run assay assess to find the file, and repair it first',
    });
  }
}

/** Statistics by feature and name, e.g. `{"action": {"min": [..], ..}}`. */
export type StatisticsByFeature = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Reads meta/episodes_stats.jsonl of v2.1; only the line positions are held in memory. */
class StatisticsLines {
  readonly #path: string;
  readonly #file: FileHandle | null;
  readonly #places: readonly (readonly [from: number, bytes: number])[];
  /** Line number by episode. */
  readonly #byEpisode = new Map<number, number>();

  private constructor(
    path: string,
    file: FileHandle | null,
    places: readonly (readonly [from: number, bytes: number])[],
  ) {
    this.#path = path;
    this.#file = file;
    this.#places = places;
  }

  /** Opens the file; if it is missing, as in v2.0, no episode has statistics. */
  static async open(path: string): Promise<StatisticsLines> {
    if (!existsSync(path)) return new StatisticsLines(path, null, []);
    const places = await indexLines(path);
    const lines = new StatisticsLines(path, await open(path, 'r'), places);
    for (const place of places.keys()) {
      const row = await lines.#row(place);
      if (row !== null) lines.#byEpisode.set(row.episode_index, place);
    }
    return lines;
  }

  /** Reads the statistics of some features and episodes; episodes without a line are left out. */
  async read(
    features: readonly string[],
    episodes: readonly number[],
  ): Promise<Map<number, StatisticsByFeature>> {
    const read = new Map<number, StatisticsByFeature>();
    for (const episode of episodes) {
      const row = await this.#row(this.#byEpisode.get(episode));
      if (row === null) continue;
      const own = Object.entries(row.stats).filter(([key]) => features.includes(key));
      read.set(episode, Object.fromEntries(own));
    }
    return read;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #row(
    place: number | undefined,
  ): Promise<{ episode_index: number; stats: StatisticsByFeature } | null> {
    if (place === undefined || this.#file === null) return null;
    const [from, bytes] = this.#places[place];
    const line = Buffer.alloc(bytes);
    await this.#file.read(line, 0, bytes, from);
    const text = line.toString('utf8').trim();
    if (text === '') return null;
    try {
      const { value } = parseTolerantJson(text, this.#path);
      return value as unknown as { episode_index: number; stats: StatisticsByFeature };
    } catch (thrown) {
      throw new AssayError('unreadable_input', `${this.#path}, line ${place + 1}: ${messageOf(thrown)}`, {
        path: this.#path,
        advice: 'repair this line; assay assess lists all problems of the dataset',
      });
    }
  }
}

const newline = 10;

/** Returns offset and length of each line. */
async function indexLines(path: string): Promise<(readonly [from: number, bytes: number])[]> {
  const places: [number, number][] = [];
  let from = 0;
  let at = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, end + 1)) {
      places.push([from, at + end - from]);
      from = at + end + 1;
    }
    at += chunk.length;
  }
  if (at > from) places.push([from, at - from]);
  return places;
}

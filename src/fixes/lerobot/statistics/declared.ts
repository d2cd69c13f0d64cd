import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetSource, parseTolerantJson, sqlName } from '#formats';
import type { JsonObject, JsonValue } from '#kernel';
import { isObject } from '../../json-document.ts';
import { queryRows } from '../../parquet/query.ts';
import type { LeRobotDraft } from '../draft/draft.ts';
import type { StatisticsEntry } from '../draft/statistics-entry.ts';

/** Statistics of one episode as its table has them, by feature. */
export type DeclaredEntries = Readonly<Record<string, StatisticsEntry>>;

export const episodeStatisticsPath = 'meta/episodes_stats.jsonl';

/** What the tables say of statistics of single episodes. */
export interface Declared {
  /** Features that any episode has an entry of; empty where there are no such statistics. */
  readonly features: ReadonlySet<string>;
  /** Of the episodes from `first` to `last`, both included. */
  readonly read: (first: number, last: number) => Promise<ReadonlyMap<number, DeclaredEntries>>;
  /** v2.1: lines of the table by episode, as they are written. */
  readonly lines: ReadonlyMap<number, string>;
}

export function declaredStatistics(draft: LeRobotDraft): Promise<Declared> | Declared {
  return draft.layout === 'v2' ? ofLines(draft) : ofColumns(draft);
}

async function ofLines({ root }: LeRobotDraft): Promise<Declared> {
  const text = await readFile(join(root, episodeStatisticsPath), 'utf8').catch(() => '');
  const lines = new Map<number, string>();
  const features = new Set<string>();
  for (const line of text.split('\n')) {
    const parsed = lineOf(line);
    if (parsed === null) continue;
    lines.set(parsed.episode, line.trimEnd());
    for (const key of Object.keys(parsed.stats)) features.add(key);
  }
  const read = async (first: number, last: number) => {
    const found = new Map<number, DeclaredEntries>();
    for (let episode = first; episode <= last; episode++) {
      const stats = lineOf(lines.get(episode) ?? '')?.stats;
      if (stats !== undefined) found.set(episode, entriesIn(stats));
    }
    return found;
  };
  return { features, read, lines };
}

function lineOf(line: string): { episode: number; stats: JsonObject } | null {
  if (line.trim() === '') return null;
  try {
    const { value } = parseTolerantJson(line, episodeStatisticsPath);
    if (!isObject(value) || typeof value.episode_index !== 'number' || !isObject(value.stats)) return null;
    return { episode: value.episode_index, stats: value.stats };
  } catch {
    return null;
  }
}

function entriesIn(stats: JsonObject): DeclaredEntries {
  return Object.fromEntries(
    Object.entries(stats).flatMap(([key, entry]) => (isObject(entry) ? [[key, { ...entry }]] : [])),
  );
}

function ofColumns({ root, episodeFiles, episodeColumns }: LeRobotDraft): Declared {
  const columns = [...episodeColumns.keys()].flatMap((name) => {
    const match = /^stats\/(.+)\/(min|max|mean|std|count|q\d+)$/.exec(name);
    return match === null ? [] : [{ name, key: match[1], statistic: match[2] }];
  });
  const features = new Set(columns.map(({ key }) => key));
  const read = async (first: number, last: number) => {
    const found = new Map<number, DeclaredEntries>();
    if (columns.length === 0) return found;
    const list = columns.map(({ name }, at) => `to_json(${sqlName(name)})::VARCHAR AS c${at}`);
    const source = parquetSource(
      episodeFiles.map((file) => join(root, file)),
      'union_by_name = true',
    );
    const where = `episode_index BETWEEN ${first} AND ${last}`;
    const answer = await queryRows(
      episodeFiles[0] ?? 'meta/episodes',
      `SELECT episode_index::DOUBLE AS e, ${list.join(', ')} FROM ${source} WHERE ${where}`,
    );
    for (const row of answer) {
      const entries: Record<string, StatisticsEntry> = {};
      columns.forEach(({ key, statistic }, at) => {
        const value = jsonOf(row[`c${at}`]);
        if (value === null) return;
        entries[key] ??= {};
        entries[key][statistic] = value;
      });
      found.set(Number(row.e), entries);
    }
    return found;
  };
  return { features, read, lines: new Map() };
}

function jsonOf(value: unknown): JsonValue {
  if (typeof value !== 'string') return null;
  try {
    return parseTolerantJson(value, 'meta/episodes').value;
  } catch {
    return null;
  }
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, type JsonValue, parseTolerantJson } from '#core';
import { isObject } from '../../../shared/fix/json-document.ts';
import { readJsonLines } from '../../../shared/fix/json-lines.ts';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import type { LeRobotDraft } from '../draft/draft.ts';
import type { StatisticsEntry } from '../draft/statistics-entry.ts';
import { queryRows } from '../parquet/query.ts';

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

async function ofLines({ root, oddities }: LeRobotDraft): Promise<Declared> {
  const bytes = await readFile(join(root, episodeStatisticsPath)).catch(() => Buffer.from(''));
  const lines = new Map<number, string>();
  const features = new Set<string>();
  for (const { line, members } of readJsonLines(bytes, episodeStatisticsPath, oddities)) {
    const { episode_index, stats } = members;
    if (typeof episode_index !== 'number' || !isObject(stats)) continue;
    lines.set(episode_index, line);
    for (const key of Object.keys(stats)) features.add(key);
  }
  const read = async (first: number, last: number) => {
    const found = new Map<number, DeclaredEntries>();
    for (let episode = first; episode <= last; episode++) {
      const stats = statsIn(lines.get(episode));
      if (stats !== null) found.set(episode, entriesIn(stats));
    }
    return found;
  };
  return { features, read, lines };
}

function statsIn(line: string | undefined): JsonObject | null {
  if (line === undefined) return null;
  const { value } = parseTolerantJson(line, episodeStatisticsPath);
  return isObject(value) && isObject(value.stats) ? value.stats : null;
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

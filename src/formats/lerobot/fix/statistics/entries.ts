import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, type JsonValue, parseTolerantJson } from '#core';
import { isObject, type JsonDocument, readJsonLines } from '../../../shared/fix/json-files.ts';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import { type LeRobotDraft, type StatisticsEntry, statisticsPath } from '../draft.ts';
import { episodeTablePath } from '../fixes/episode-table.ts';
import { type LeRobotFix, recordChange } from '../fixes/fix.ts';
import { queryRows } from '../parquet/query.ts';

/** Stored statistics of one episode by feature. */
export type DeclaredEntries = Readonly<Record<string, StatisticsEntry>>;

/** Path of the v2.1 table of episode statistics. */
export const episodeStatisticsPath = 'meta/episodes_stats.jsonl';

/** Stored statistics of single episodes. */
export interface EpisodeStatisticsTable {
  /** Features with an entry in any episode; empty if there are no episode statistics. */
  readonly features: ReadonlySet<string>;
  /** Reads the statistics of episodes `first` to `last`, inclusive. */
  readonly read: (first: number, last: number) => Promise<ReadonlyMap<number, DeclaredEntries>>;
  /** Original lines of the table by episode (v2.1). */
  readonly lines: ReadonlyMap<number, string>;
}

/**
 * Returns a reader of the stored statistics of single episodes, from meta/episodes_stats.jsonl (v2) or columns of the
 * episodes table (v3); it finds nothing if there are none.
 */
export function openEpisodeStatistics(
  draft: LeRobotDraft,
): Promise<EpisodeStatisticsTable> | EpisodeStatisticsTable {
  return draft.layout === 'v2' ? openLines(draft) : openColumns(draft);
}

/** Opens the JSON Lines table of v2.1. */
async function openLines({ root, oddities }: LeRobotDraft): Promise<EpisodeStatisticsTable> {
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
      const stats = parseStats(lines.get(episode));
      if (stats !== null) found.set(episode, listEntries(stats));
    }
    return found;
  };
  return { features, read, lines };
}

function parseStats(line: string | undefined): JsonObject | null {
  if (line === undefined) return null;
  const { value } = parseTolerantJson(line, episodeStatisticsPath);
  return isObject(value) && isObject(value.stats) ? value.stats : null;
}

function listEntries(stats: JsonObject): DeclaredEntries {
  return Object.fromEntries(
    Object.entries(stats).flatMap(([key, entry]) => (isObject(entry) ? [[key, { ...entry }]] : [])),
  );
}

/** Opens the statistics columns of the v3 episodes table. */
function openColumns({ root, episodeFiles, episodeColumns }: LeRobotDraft): EpisodeStatisticsTable {
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
        const value = parseJsonOrNull(row[`c${at}`]);
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

function parseJsonOrNull(value: unknown): JsonValue {
  if (typeof value !== 'string') return null;
  try {
    return parseTolerantJson(value, 'meta/episodes').value;
  } catch {
    return null;
  }
}

/** Code and texts of a statistics change. */
interface EntryChange {
  readonly code: LeRobotFix['answers'][number];
  readonly before: string;
  readonly after: string;
}

/**
 * Sets the statistics of a feature in one episode of the draft, marks its columns as edited (v3) and records the
 * change, except for a new row in v3. `tableFile`: file of the episodes table; null for a new row.
 */
export function setEpisodeEntry(
  draft: LeRobotDraft,
  { index, tableFile }: { readonly index: number; readonly tableFile: string | null },
  key: string,
  entry: StatisticsEntry,
  { code, before, after }: EntryChange,
): void {
  const entries = draft.statistics.get(index) ?? {};
  entries[key] = entry;
  draft.statistics.set(index, entries);
  if (draft.layout === 'v3') {
    draft.editedEpisodes.add(index);
    for (const name of Object.keys(entry)) draft.editedEpisodeColumns.add(`stats/${key}/${name}`);
    if (tableFile === null) return;
  }
  const path = draft.layout === 'v2' ? episodeStatisticsPath : (tableFile ?? episodeTablePath(draft));
  recordChange(draft, { id: 'statistics' }, [code], {
    path,
    episode: index,
    what: `statistics of ${key}`,
    before,
    after,
  });
}

/** Sets the statistics of a feature over all episodes in `document` and records the change in `draft`. */
export function setDatasetEntry(
  draft: LeRobotDraft,
  document: JsonDocument,
  key: string,
  entry: StatisticsEntry,
  { code, before, after }: EntryChange,
): void {
  document.set([key], entry);
  recordChange(draft, { id: 'statistics' }, [code], { path: statisticsPath, what: key, before, after });
}

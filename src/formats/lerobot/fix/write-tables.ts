import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlannedFile } from '../../shared/fix/fix.ts';
import { parquetSource, sqlName, sqlText } from '../../shared/parquet/duck.ts';
import { parquetKeyValues } from '../../shared/parquet/footer.ts';
import type { DataFile, RowSpan } from './data-file.ts';
import type { LeRobotDraft } from './draft.ts';
import { episodeTablePath } from './fixes/episode-table.ts';
import { queryChunks, queryRows } from './parquet/query.ts';
import { type ColumnValues, rewriteColumns } from './parquet/rewrite-columns.ts';
import { type DraftEpisode, windowColumns } from './tables.ts';

/**
 * Returns the planned writes and removals of files of the v3 episodes table, which happen when the plan is applied;
 * empty if no row was edited or moved.
 */
export function planEpisodesV3(draft: LeRobotDraft): PlannedFile[] {
  if (!draft.episodesReordered && draft.editedEpisodes.size === 0) return [];
  const parts = draft.episodesReordered ? distributeRows(draft) : groupByFile(draft);
  const files: PlannedFile[] = [];
  for (const [path, episodes] of parts) {
    const edited = episodes.some(({ index }) => draft.editedEpisodes.has(index));
    if (episodes.length > 0 && (draft.episodesReordered || edited))
      files.push({ does: 'write', path, write: (target) => writeTable(draft, path, episodes, target) });
  }
  for (const path of [...draft.episodeFiles, ...draft.episodeFilesDamaged])
    if (draft.episodesReordered && (parts.get(path)?.length ?? 0) === 0) files.push({ does: 'remove', path });
  return files;
}

/** Groups the listed episodes by table file. */
function groupByFile({ episodes }: LeRobotDraft): Map<string, DraftEpisode[]> {
  return Map.groupBy(
    episodes.filter(({ tableFile }) => tableFile !== null),
    ({ tableFile }) => tableFile!,
  );
}

/**
 * Distributes the rows in order over the table files, each with as many rows as before; new rows go to the file of the
 * row before.
 */
function distributeRows(draft: LeRobotDraft): Map<string, DraftEpisode[]> {
  const room = new Map([...groupByFile(draft)].map(([path, { length }]) => [path, length]));
  const files = draft.episodeFiles.filter((path) => room.has(path));
  const parts = new Map<string, DraftEpisode[]>();
  let [at, held] = [0, 0];
  for (const episode of draft.episodes) {
    const full = held >= (room.get(files[at]) ?? Infinity);
    if (full && episode.tableFile !== null && at + 1 < files.length) [at, held] = [at + 1, 0];
    if (episode.tableFile !== null) held += 1;
    const path = files[at] ?? episodeTablePath(draft);
    parts.set(path, [...(parts.get(path) ?? []), episode]);
  }
  return parts;
}

/** Writes one file of the episodes table. */
async function writeTable(
  draft: LeRobotDraft,
  path: string,
  episodes: readonly DraftEpisode[],
  target: string,
): Promise<void> {
  const scratch = `${target}.rows`;
  const edited = [...draft.editedEpisodeColumns, ...(draft.episodesReordered ? locationColumns : [])];
  const place = /chunk-(\d+)\/file-(\d+)/.exec(path)?.slice(1).map(Number) ?? [0, 0];
  const lines = episodes.map((episode, p) => {
    const values = edited.map((name, at) => [
      `c${at}`,
      name in locationPart ? place[locationPart[name]] : editedValue(draft, episode, name),
    ]);
    return JSON.stringify({ p, e: episode.index, ...Object.fromEntries(values) });
  });
  await writeFile(scratch, lines.join('\n'));
  try {
    const types = edited.map((name) => draft.episodeColumns.get(name) ?? columnType(draft, name));
    const select = selectColumns(draft, edited, types);
    const read = types.map((type, at) => `c${at}: ${sqlText(type)}`).join(', ');
    await queryRows(
      draft.episodeFiles[0] ?? 'meta/episodes',
      `COPY (SELECT ${select} FROM read_json(${sqlText(scratch)}, format = 'newline_delimited',  columns = {p: 'BIGINT', e: 'BIGINT'${read === '' ? '' : `, ${read}`}}) c
         ${joinSource(draft)} ORDER BY c.p)
       TO ${sqlText(target)} (FORMAT parquet, COMPRESSION ${await readCompression(draft)}${await copyKeyValues(draft, edited)})`,
    );
  } finally {
    await rm(scratch, { force: true });
  }
}

/** Columns with the table file's own location: position in [chunk, file]. */
const locationPart: Readonly<Record<string, number>> = {
  'meta/episodes/chunk_index': 0,
  'meta/episodes/file_index': 1,
};
const locationColumns = Object.keys(locationPart);

/** Returns the new value of an edited row; null for others, which retain their value. */
function editedValue(draft: LeRobotDraft, episode: DraftEpisode, name: string): unknown {
  const fresh = episode.tableFile === null || draft.editedEpisodes.has(episode.index);
  return fresh ? episodeValue(draft, episode, name) : null;
}

function columnType(draft: LeRobotDraft, name: string): string {
  if (name in locationPart) return 'BIGINT';
  const some = draft.episodes
    .map((episode) => episodeValue(draft, episode, name))
    .find((one) => one !== null);
  return newColumnType(name, some);
}

/** Builds the SELECT list: retained columns, edited columns and new columns. */
function selectColumns(draft: LeRobotDraft, edited: readonly string[], types: readonly string[]): string {
  const known = [...draft.episodeColumns].map(([name, type]) => {
    if (name === 'episode_index') return `c.e::${type} AS episode_index`;
    const at = edited.indexOf(name);
    const kept = `e.${sqlName(name)}`;
    return `${at < 0 ? kept : `coalesce(c.c${at}::${types[at]}, ${kept})`} AS ${sqlName(name)}`;
  });
  const fresh = edited.flatMap((name, at) =>
    draft.episodeColumns.has(name) ? [] : [`c.c${at} AS ${sqlName(name)}`],
  );
  return [...(known.length === 0 ? ['c.e AS episode_index'] : known), ...fresh].join(', ');
}

function joinSource({ root, episodeFiles }: LeRobotDraft): string {
  if (episodeFiles.length === 0) return '';
  const source = parquetSource(
    episodeFiles.map((file) => join(root, file)),
    'union_by_name = true',
  );
  return `LEFT JOIN (SELECT DISTINCT ON (episode_index) * FROM ${source}) e ON e.episode_index = c.e`;
}

async function readCompression({ root, episodeFiles }: LeRobotDraft): Promise<string> {
  if (episodeFiles.length === 0) return 'snappy';
  const [row] = await queryRows(
    episodeFiles[0],
    `SELECT compression AS c FROM parquet_metadata(${sqlText(join(root, episodeFiles[0]))}) LIMIT 1`,
  );
  const known = /^(SNAPPY|ZSTD|GZIP|BROTLI|UNCOMPRESSED|LZ4_RAW)$/.exec(String(row?.c));
  return known === null ? 'snappy' : known[0].toLowerCase();
}

/**
 * Returns the footer entries to copy, e.g. features of the datasets library; empty if columns were added, which they
 * would not match.
 */
async function copyKeyValues(draft: LeRobotDraft, edited: readonly string[]): Promise<string> {
  const [file] = draft.episodeFiles;
  if (file === undefined || edited.some((name) => !draft.episodeColumns.has(name))) return '';
  const entries = [...(await parquetKeyValues(join(draft.root, file), file))];
  const keyValues = entries.map(([key, value]) => `${sqlName(key)}: ${sqlText(value)}`);
  return keyValues.length === 0 ? '' : `, KV_METADATA {${keyValues.join(', ')}}`;
}

/** Returns the new value of a column for an episode; null if it does not change. */
function episodeValue(draft: LeRobotDraft, episode: DraftEpisode, column: string): unknown {
  const plain: Readonly<Record<string, unknown>> = {
    tasks: episode.tasks,
    length: episode.length,
    dataset_from_index: episode.from,
    dataset_to_index: episode.to,
    'data/chunk_index': episode.chunk,
    'data/file_index': episode.file,
  };
  if (column in plain) return plain[column];
  const window = /^videos\/(.+)\/[a-z_]+$/.exec(column);
  if (window !== null) return windowValue(episode, window[1], column);
  const [, feature, statistic] = /^stats\/(.+)\/(\w+)$/.exec(column) ?? [];
  return draft.statistics.get(episode.index)?.[feature]?.[statistic] ?? null;
}

function windowValue(episode: DraftEpisode, camera: string, column: string): number | null {
  const window = episode.videos.get(camera);
  if (window === undefined) return null;
  const at = windowColumns(camera).indexOf(column);
  return [window.chunk, window.file, window.from_s, window.to_s][at] ?? null;
}

/** Returns the SQL type of a new column. */
function newColumnType(column: string, value: unknown): string {
  if (column === 'tasks') return 'VARCHAR[]';
  if (column.endsWith('/count')) return 'BIGINT[]';
  if (column.endsWith('_timestamp')) return 'DOUBLE';
  let depth = 0;
  for (let at = value; Array.isArray(at); at = at[0]) depth += 1;
  return depth === 0 ? 'BIGINT' : `DOUBLE${'[]'.repeat(depth)}`;
}

/**
 * Writes a copy of a data file to `target` with its edited columns and without its dropped ones; all other columns are
 * copied unchanged.
 */
export async function writeData(file: DataFile, rate_hz: number, target: string): Promise<void> {
  const columns = new Map<string, ColumnValues>();
  for (const name of file.editedColumns) columns.set(name, await computeColumn(file, name, rate_hz));
  await rewriteColumns(file.absolute, target, file.path, columns, file.droppedColumns);
}

/**
 * Returns a function from a row of the file to the new value of `episode_index`, `frame_index`, `index` or `timestamp`;
 * any other name means `task_index`.
 */
export async function computeColumn(file: DataFile, name: string, rate_hz: number): Promise<ColumnValues> {
  const span = createSpanLookup(file);
  if (name === 'episode_index') return (row) => span(row).episode;
  if (name === 'frame_index') return (row) => row - span(row).start;
  if (name === 'index') return (row) => file.firstIndex + row;
  if (name === 'timestamp') {
    const stamps = await readStamps(file);
    return (row) => {
      const { episode, start } = span(row);
      return file.restampedEpisodes.has(episode) ? (row - start) / rate_hz : stamps[row];
    };
  }
  const tasks = await readTaskIndexes(file);
  return (row) => {
    const task = tasks[row];
    return file.taskRemaps.get(span(row).episode)?.get(task) ?? task;
  };
}

/** Creates a lookup of the episode span of a row, fast for ascending rows. */
function createSpanLookup({ spans }: DataFile): (row: number) => RowSpan {
  let at = 0;
  return (row) => {
    if (row < spans[at].start) at = 0;
    while (row >= spans[at].start + spans[at].rows) at++;
    return spans[at];
  };
}

async function readTaskIndexes({ path, absolute, rows }: DataFile): Promise<Int32Array> {
  const tasks = new Int32Array(rows);
  let at = 0;
  for await (const chunk of queryChunks(
    path,
    `SELECT coalesce(TRY_CAST(task_index AS INTEGER), -1) FROM ${parquetSource([absolute])}`,
  )) {
    tasks.set(chunk.integers(0).values, at);
    at += chunk.rows;
  }
  return tasks;
}

/** Reads the stored timestamps in seconds, one per row of the file; NaN where there is none. */
export async function readStamps({ path, absolute, rows, columns }: DataFile): Promise<Float64Array> {
  const stamps = new Float64Array(rows).fill(Number.NaN);
  if (!columns.some(({ name }) => name === 'timestamp')) return stamps;
  let at = 0;
  const sql = `SELECT coalesce(TRY_CAST("timestamp" AS DOUBLE), 'nan'::DOUBLE) FROM ${parquetSource([absolute])}`;
  for await (const chunk of queryChunks(path, sql)) {
    stamps.set(chunk.numbers(0).values, at);
    at += chunk.rows;
  }
  return stamps;
}

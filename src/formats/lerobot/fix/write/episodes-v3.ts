import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlannedFile } from '../../../shared/fix/fix.ts';
import { parquetSource, sqlName, sqlText } from '../../../shared/parquet/duck.ts';
import { parquetKeyValues } from '../../../shared/parquet/footer.ts';
import type { LeRobotDraft } from '../draft/draft.ts';
import type { DraftEpisode } from '../draft/episode.ts';
import { windowNames } from '../draft/read-episodes.ts';
import { tablePath } from '../mend/list-episodes.ts';
import { queryRows } from '../parquet/query.ts';

/** The files of the table of episodes that are to change, and those that go. */
export function episodesV3(draft: LeRobotDraft): PlannedFile[] {
  if (!draft.episodesMoved && draft.episodesEdited.size === 0) return [];
  const parts = draft.episodesMoved ? dealtOut(draft) : byHome(draft);
  const files: PlannedFile[] = [];
  for (const [path, episodes] of parts) {
    const edited = episodes.some(({ index }) => draft.episodesEdited.has(index));
    if (episodes.length > 0 && (draft.episodesMoved || edited))
      files.push({ does: 'write', path, write: (target) => writeTable(draft, path, episodes, target) });
  }
  for (const path of [...draft.episodeFiles, ...draft.episodeFilesDamaged])
    if (draft.episodesMoved && (parts.get(path)?.length ?? 0) === 0) files.push({ does: 'remove', path });
  return files;
}

function byHome({ episodes }: LeRobotDraft): Map<string, DraftEpisode[]> {
  return Map.groupBy(
    episodes.filter(({ home }) => home !== null),
    ({ home }) => home!,
  );
}

/** Rows in order over the files of the table, each as many as it had; new rows go to the file of the one before. */
function dealtOut(draft: LeRobotDraft): Map<string, DraftEpisode[]> {
  const room = new Map([...byHome(draft)].map(([path, { length }]) => [path, length]));
  const files = draft.episodeFiles.filter((path) => room.has(path));
  const parts = new Map<string, DraftEpisode[]>();
  let [at, held] = [0, 0];
  for (const episode of draft.episodes) {
    const full = held >= (room.get(files[at]) ?? Infinity);
    if (full && episode.home !== null && at + 1 < files.length) [at, held] = [at + 1, 0];
    if (episode.home !== null) held += 1;
    const path = files[at] ?? tablePath(draft);
    parts.set(path, [...(parts.get(path) ?? []), episode]);
  }
  return parts;
}

async function writeTable(
  draft: LeRobotDraft,
  path: string,
  episodes: readonly DraftEpisode[],
  target: string,
): Promise<void> {
  const scratch = `${target}.rows`;
  const edited = [...draft.episodeEdits, ...(draft.episodesMoved ? placeColumns : [])];
  const place = /chunk-(\d+)\/file-(\d+)/.exec(path)?.slice(1).map(Number) ?? [0, 0];
  const lines = episodes.map((episode, p) => {
    const values = edited.map((name, at) => [
      `c${at}`,
      name in placeOf ? place[placeOf[name]] : freshValue(draft, episode, name),
    ]);
    return JSON.stringify({ p, e: episode.index, ...Object.fromEntries(values) });
  });
  await writeFile(scratch, lines.join('\n'));
  try {
    const types = edited.map((name) => draft.episodeColumns.get(name) ?? typeOf(draft, name));
    const select = columnsOf(draft, edited, types);
    const read = types.map((type, at) => `c${at}: ${sqlText(type)}`).join(', ');
    await queryRows(
      draft.episodeFiles[0] ?? 'meta/episodes',
      `COPY (SELECT ${select} FROM read_json(${sqlText(scratch)}, format = 'newline_delimited',  columns = {p: 'BIGINT', e: 'BIGINT'${read === '' ? '' : `, ${read}`}}) c
         ${sourceOf(draft)} ORDER BY c.p)
       TO ${sqlText(target)} (FORMAT parquet, COMPRESSION ${await packingOf(draft)}${await entriesOf(draft, edited)})`,
    );
  } finally {
    await rm(scratch, { force: true });
  }
}

const placeOf: Readonly<Record<string, number>> = {
  'meta/episodes/chunk_index': 0,
  'meta/episodes/file_index': 1,
};
const placeColumns = Object.keys(placeOf);

/** Only rows that are edited say something new: the others keep what they have. */
function freshValue(draft: LeRobotDraft, episode: DraftEpisode, name: string): unknown {
  const fresh = episode.home === null || draft.episodesEdited.has(episode.index);
  return fresh ? episodeValue(draft, episode, name) : null;
}

function typeOf(draft: LeRobotDraft, name: string): string {
  if (name in placeOf) return 'BIGINT';
  const some = draft.episodes
    .map((episode) => episodeValue(draft, episode, name))
    .find((one) => one !== null);
  return newColumnType(name, some);
}

function columnsOf(draft: LeRobotDraft, edited: readonly string[], types: readonly string[]): string {
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

function sourceOf({ root, episodeFiles }: LeRobotDraft): string {
  if (episodeFiles.length === 0) return '';
  const source = parquetSource(
    episodeFiles.map((file) => join(root, file)),
    'union_by_name = true',
  );
  return `LEFT JOIN (SELECT DISTINCT ON (episode_index) * FROM ${source}) e ON e.episode_index = c.e`;
}

async function packingOf({ root, episodeFiles }: LeRobotDraft): Promise<string> {
  if (episodeFiles.length === 0) return 'snappy';
  const [row] = await queryRows(
    episodeFiles[0],
    `SELECT compression AS c FROM parquet_metadata(${sqlText(join(root, episodeFiles[0]))}) LIMIT 1`,
  );
  const known = /^(SNAPPY|ZSTD|GZIP|BROTLI|UNCOMPRESSED|LZ4_RAW)$/.exec(String(row?.c));
  return known === null ? 'snappy' : known[0].toLowerCase();
}

/** The footer's own entries, such as the features that the datasets library wrote; they fit the columns that they were for. */
async function entriesOf(draft: LeRobotDraft, edited: readonly string[]): Promise<string> {
  const [file] = draft.episodeFiles;
  if (file === undefined || edited.some((name) => !draft.episodeColumns.has(name))) return '';
  const entries = [...(await parquetKeyValues(join(draft.root, file), file))];
  const said = entries.map(([key, value]) => `${sqlName(key)}: ${sqlText(value)}`);
  return said.length === 0 ? '' : `, KV_METADATA {${said.join(', ')}}`;
}

/** What the table of episodes will say of an episode in a column; null where it stays what it is. */
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
  const at = windowNames(camera).indexOf(column);
  return [window.chunk, window.file, window.from_s, window.to_s][at] ?? null;
}

/** The type of a column that the table does not have yet. */
function newColumnType(column: string, value: unknown): string {
  if (column === 'tasks') return 'VARCHAR[]';
  if (column.endsWith('/count')) return 'BIGINT[]';
  if (column.endsWith('_timestamp')) return 'DOUBLE';
  let depth = 0;
  for (let at = value; Array.isArray(at); at = at[0]) depth += 1;
  return depth === 0 ? 'BIGINT' : `DOUBLE${'[]'.repeat(depth)}`;
}

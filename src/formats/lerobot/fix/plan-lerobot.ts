import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, type JsonValue, parseTolerantJson } from '#core';
import type { FixOptions, FixPlan, PlannedFile } from '../../shared/fix/fix.ts';
import { formatJsonLine, isObject } from '../../shared/fix/json-files.ts';
import { fetchRows } from '../../shared/parquet/chunks.ts';
import { sqlText } from '../../shared/parquet/duck.ts';
import { infoPath, type LeRobotDraft, readDraft, statisticsPath } from './draft.ts';
import { lerobotFixes } from './fixes/registry.ts';
import { episodeStatisticsPath } from './statistics/entries.ts';
import { type DraftEpisode, episodesPathV2, type TaskTable } from './tables.ts';
import { planEpisodesV3, writeData } from './write-tables.ts';

/** Plans the statistics files to rewrite: meta/stats.json, and in v2 meta/episodes_stats.jsonl. */
function planStatistics(draft: LeRobotDraft): PlannedFile[] {
  const files: PlannedFile[] = [];
  const { setStatistics } = draft;
  if (setStatistics?.changed === true)
    files.push({
      does: 'write',
      path: statisticsPath,
      write: (target) => writeFile(target, setStatistics.text()),
    });
  const isOdd = draft.oddities.has(episodeStatisticsPath);
  if (draft.layout === 'v2' && (draft.statistics.size > 0 || hasUnlistedLines(draft) || isOdd))
    files.push(planLines(episodeStatisticsPath, () => formatEpisodeStatistics(draft)));
  return files;
}

/** Returns true if the statistics table has lines of episodes that are no longer listed. */
function hasUnlistedLines({ episodes, statisticsLines }: LeRobotDraft): boolean {
  const listed = new Set(episodes.map(({ index }) => index));
  return [...statisticsLines.keys()].some((episode) => !listed.has(episode));
}

/** Formats one line per listed episode with statistics; unchanged lines keep their text. */
function formatEpisodeStatistics({ episodes, statistics, statisticsLines }: LeRobotDraft): string[] {
  return episodes.flatMap(({ index }) => {
    const line = statisticsLines.get(index);
    const fresh = statistics.get(index);
    if (fresh === undefined) return line ?? [];
    const { value } = parseTolerantJson(line ?? '{}', episodeStatisticsPath);
    const members = isObject(value) ? value : {};
    const before = isObject(members.stats) ? members.stats : {};
    return formatJsonLine({ ...members, episode_index: index, stats: { ...before, ...fresh } });
  });
}

/** Plans the JSON Lines tables of v2 to rewrite: episodes and tasks. Unchanged lines keep their text. */
function planTablesV2(draft: LeRobotDraft): PlannedFile[] {
  const files: PlannedFile[] = [];
  const odd = (path: string) => draft.oddities.has(path);
  if (draft.episodesReordered || draft.editedEpisodes.size > 0 || odd(episodesPathV2))
    files.push(
      planLines(episodesPathV2, () => draft.episodes.map((episode) => formatEpisodeLine(draft, episode))),
    );
  const { tasks } = draft;
  if (tasks !== null && (draft.tasksChanged || odd(tasks.path)))
    files.push(
      planLines(tasks.path, () =>
        tasks.tasks.map(({ index, text }) => formatJsonLine({ task_index: index, task: text })),
      ),
    );
  return files;
}

/** Formats the line of an episode; an unedited line keeps its text. */
function formatEpisodeLine(
  draft: LeRobotDraft,
  { index, line, members, length, tasks }: DraftEpisode,
): string {
  if (line !== null && !draft.editedEpisodes.has(index)) return line;
  const now: Record<string, JsonValue> = { ...members, episode_index: index };
  if (tasks !== null) now.tasks = [...tasks];
  if (length !== null) now.length = length;
  return formatJsonLine(now);
}

/** Plans a JSON Lines file; the lines are formatted when it is written. */
function planLines(path: string, of: () => readonly string[]): PlannedFile {
  return {
    does: 'write',
    path,
    write: (target) =>
      writeFile(
        target,
        of()
          .map((line) => `${line}\n`)
          .join(''),
      ),
  };
}

/**
 * Plans all repairs of a LeRobot set without writing to it; the caller must call `close` of the plan, which removes the
 * scratch folder. Throws `cancelled` if the signal is aborted.
 */
export async function planLeRobot(root: string, options: FixOptions): Promise<FixPlan> {
  const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-'));
  const close = () => rm(scratch, { recursive: true, force: true });
  try {
    const draft = await readDraft(root, options, scratch);
    for (const fix of lerobotFixes) {
      options.signal?.throwIfAborted();
      await fix.run(draft);
    }
    const { changes, unfixed } = draft;
    return { format: 'lerobot', root, changes, unfixed, files: planFiles(draft), close };
  } catch (thrown) {
    await close();
    if (options.signal?.aborted !== true || thrown instanceof AssayError) throw thrown;
    throw new AssayError('cancelled', 'cancelled while planning fixes; nothing was changed');
  }
}

/** Lists the files to write and to remove, from the changes that the fixes made to the draft. */
function planFiles(draft: LeRobotDraft): PlannedFile[] {
  const rate_hz = Number(draft.info.value.fps);
  const files: PlannedFile[] = draft.files
    .filter(
      ({ path, editedColumns, droppedColumns }) =>
        editedColumns.size > 0 || droppedColumns.size > 0 || draft.salvaged.has(path),
    )
    .map((file) => ({
      does: 'write',
      path: file.path,
      write: (target) => writeData(file, rate_hz, target),
    }));
  if (draft.layout === 'v2') files.push(...planTablesV2(draft));
  else {
    files.push(...planEpisodesV3(draft));
    if (draft.tasksChanged && draft.tasks !== null) files.push(planTasksV3(draft.tasks));
  }
  files.push(...planStatistics(draft));
  if (draft.info.changed)
    files.push({ does: 'write', path: infoPath, write: (target) => writeFile(target, draft.info.text()) });
  for (const [path, write] of draft.rewrittenVideos) files.push({ does: 'write', path, write });
  for (const path of draft.removed) files.push({ does: 'remove', path });
  return files;
}

/** Plans meta/tasks.parquet with the texts as pandas index; without it the library reads them as numbers. */
function planTasksV3({ path, tasks }: TaskTable): PlannedFile {
  const list = tasks.map(({ index, text }) => `(${index}::BIGINT, ${sqlText(text)})`).join(', ');
  return {
    does: 'write',
    path,
    write: async (target) => {
      await fetchRows(
        `COPY (SELECT * FROM (VALUES ${list}) AS t(task_index, task) ORDER BY task_index)
         TO ${sqlText(target)} (FORMAT parquet, KV_METADATA {pandas: ${sqlText(JSON.stringify(pandasMetadata))}})`,
      );
    },
  };
}

const pandasColumn = (name: string, pandas_type: string, numpy_type: string) => ({
  name,
  field_name: name,
  pandas_type,
  numpy_type,
  metadata: null,
});

/** Footer metadata by which pandas reads the task texts as index. */
const pandasMetadata = {
  index_columns: ['task'],
  column_indexes: [],
  columns: [pandasColumn('task_index', 'int64', 'int64'), pandasColumn('task', 'unicode', 'object')],
  creator: { library: 'pyarrow', version: '21.0.0' },
  pandas_version: '2.3.0',
};

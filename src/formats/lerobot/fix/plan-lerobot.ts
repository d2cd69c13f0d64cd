import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, type JsonValue, parseTolerantJson } from '#core';
import type { FixOptions, FixPlan, PlannedFile } from '../../shared/fix/fix.ts';
import { isObject, lineOfJson } from '../../shared/fix/json-document.ts';
import { rows } from '../../shared/parquet/chunks.ts';
import { sqlText } from '../../shared/parquet/duck.ts';
import { infoPath, type LeRobotDraft, readDraft, statisticsPath } from './draft/draft.ts';
import type { DraftEpisode } from './draft/episode.ts';
import { episodesPathV2 } from './draft/read-episodes.ts';
import type { TaskTable } from './draft/read-tasks.ts';
import { mends } from './mend/registry.ts';
import { episodeStatisticsPath } from './statistics/declared.ts';
import { writeData } from './write/data-columns.ts';
import { episodesV3 } from './write/episodes-v3.ts';

/** The tables of statistics that are to change. */
function statisticsFiles(draft: LeRobotDraft): PlannedFile[] {
  const files: PlannedFile[] = [];
  const { setStatistics } = draft;
  if (setStatistics?.changed === true)
    files.push({
      does: 'write',
      path: statisticsPath,
      write: (target) => writeFile(target, setStatistics.text()),
    });
  const isOdd = draft.oddities.has(episodeStatisticsPath);
  if (draft.layout === 'v2' && (draft.statistics.size > 0 || hasOthers(draft) || isOdd))
    files.push(lines(episodeStatisticsPath, () => episodeLines(draft)));
  return files;
}

/** Lines of episodes that are not listed any more. */
function hasOthers({ episodes, statisticsLines }: LeRobotDraft): boolean {
  const listed = new Set(episodes.map(({ index }) => index));
  return [...statisticsLines.keys()].some((episode) => !listed.has(episode));
}

/** A line an episode that is listed and has statistics; lines that stay are written as they were. */
function episodeLines({ episodes, statistics, statisticsLines }: LeRobotDraft): string[] {
  return episodes.flatMap(({ index }) => {
    const line = statisticsLines.get(index);
    const fresh = statistics.get(index);
    if (fresh === undefined) return line ?? [];
    const { value } = parseTolerantJson(line ?? '{}', episodeStatisticsPath);
    const members = isObject(value) ? value : {};
    const before = isObject(members.stats) ? members.stats : {};
    return lineOfJson({ ...members, episode_index: index, stats: { ...before, ...fresh } });
  });
}

/** The tables of lines that are to change; lines that stay are written as they were. */
function tablesV2(draft: LeRobotDraft): PlannedFile[] {
  const files: PlannedFile[] = [];
  const odd = (path: string) => draft.oddities.has(path);
  if (draft.episodesMoved || draft.episodesEdited.size > 0 || odd(episodesPathV2))
    files.push(lines(episodesPathV2, () => draft.episodes.map((episode) => lineOf(draft, episode))));
  const { tasks } = draft;
  if (tasks !== null && (draft.tasksChanged || odd(tasks.path)))
    files.push(
      lines(tasks.path, () =>
        tasks.tasks.map(({ index, text }) => lineOfJson({ task_index: index, task: text })),
      ),
    );
  return files;
}

function lineOf(draft: LeRobotDraft, { index, line, members, length, tasks }: DraftEpisode): string {
  if (line !== null && !draft.episodesEdited.has(index)) return line;
  const now: Record<string, JsonValue> = { ...members, episode_index: index };
  if (tasks !== null) now.tasks = [...tasks];
  if (length !== null) now.length = length;
  return lineOfJson(now);
}

function lines(path: string, of: () => readonly string[]): PlannedFile {
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

/** What there is to mend in a LeRobot set; writes nothing into it. */
export async function planLeRobot(root: string, options: FixOptions): Promise<FixPlan> {
  const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-'));
  const close = () => rm(scratch, { recursive: true, force: true });
  try {
    const draft = await readDraft(root, options, scratch);
    for (const mend of mends) {
      options.signal?.throwIfAborted();
      await mend.run(draft);
    }
    const { changes, unfixed } = draft;
    return { format: 'lerobot', root, changes, unfixed, files: plannedFiles(draft), close };
  } catch (thrown) {
    await close();
    if (options.signal?.aborted !== true || thrown instanceof AssayError) throw thrown;
    throw new AssayError('cancelled', 'looking for what to fix was stopped; nothing was changed');
  }
}

/** What is written and what leaves the set, by what the fixes made of the draft. */
function plannedFiles(draft: LeRobotDraft): PlannedFile[] {
  const rate_hz = Number(draft.info.value.fps);
  const files: PlannedFile[] = draft.files
    .filter(({ path, edits, dropped }) => edits.size > 0 || dropped.size > 0 || draft.salvaged.has(path))
    .map((file) => ({
      does: 'write',
      path: file.path,
      write: (target) => writeData(file, rate_hz, target),
    }));
  if (draft.layout === 'v2') files.push(...tablesV2(draft));
  else {
    files.push(...episodesV3(draft));
    if (draft.tasksChanged && draft.tasks !== null) files.push(tasksV3(draft.tasks));
  }
  files.push(...statisticsFiles(draft));
  if (draft.info.changed)
    files.push({ does: 'write', path: infoPath, write: (target) => writeFile(target, draft.info.text()) });
  for (const [path, write] of draft.films) files.push({ does: 'write', path, write });
  for (const path of draft.removed) files.push({ does: 'remove', path });
  return files;
}

/** The table of tasks with its texts as the pandas index: the library takes them for numbers without. */
function tasksV3({ path, tasks }: TaskTable): PlannedFile {
  const list = tasks.map(({ index, text }) => `(${index}::BIGINT, ${sqlText(text)})`).join(', ');
  return {
    does: 'write',
    path,
    write: async (target) => {
      await rows(
        `COPY (SELECT * FROM (VALUES ${list}) AS t(task_index, task) ORDER BY task_index)
         TO ${sqlText(target)} (FORMAT parquet, KV_METADATA {pandas: ${sqlText(JSON.stringify(pandas))}})`,
      );
    },
  };
}

const column = (name: string, pandas_type: string, numpy_type: string) => ({
  name,
  field_name: name,
  pandas_type,
  numpy_type,
  metadata: null,
});

const pandas = {
  index_columns: ['task'],
  column_indexes: [],
  columns: [column('task_index', 'int64', 'int64'), column('task', 'unicode', 'object')],
  creator: { library: 'pyarrow', version: '21.0.0' },
  pandas_version: '2.3.0',
};

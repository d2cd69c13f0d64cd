import { writeFile } from 'node:fs/promises';
import type { JsonValue } from '#core';
import type { PlannedFile } from '../../../shared/fix/fix.ts';
import { lineOfJson } from '../../../shared/fix/json-document.ts';
import type { LeRobotDraft } from '../draft/draft.ts';
import type { DraftEpisode } from '../draft/episode.ts';
import { episodesPathV2 } from '../draft/read-episodes.ts';

/** The tables of lines that are to change; lines that stay are written as they were. */
export function tablesV2(draft: LeRobotDraft): PlannedFile[] {
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

export function lines(path: string, of: () => readonly string[]): PlannedFile {
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

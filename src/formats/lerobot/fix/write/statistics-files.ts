import { writeFile } from 'node:fs/promises';
import { parseTolerantJson } from '#core';
import type { PlannedFile } from '../../../shared/fix/fix.ts';
import { isObject, lineOfJson } from '../../../shared/fix/json-document.ts';
import { type LeRobotDraft, statisticsPath } from '../draft/draft.ts';
import { episodeStatisticsPath } from '../statistics/declared.ts';
import { lines } from './tables-v2.ts';

/** The tables of statistics that are to change. */
export function statisticsFiles(draft: LeRobotDraft): PlannedFile[] {
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

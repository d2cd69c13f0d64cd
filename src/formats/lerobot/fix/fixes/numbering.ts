import { type DataFile, hasColumn, type RowRun, type RowSpan } from '../data-file.ts';
import { type LeRobotDraft, parseEpisodeNumber } from '../draft.ts';
import type { DraftEpisode } from '../tables.ts';
import { formatList, type LeRobotFix, recordChange, recordUnfixed } from './fix.ts';

/** Fix: determines which rows belong to which episode, and corrects `episode_index`. */
export const numberEpisodes: LeRobotFix = {
  id: 'number-episodes',
  title: 'Set episode_index of rows to their own episode',
  answers: ['rows_of_another_episode', 'rows_scattered'],
  run: (draft) => {
    const found =
      draft.layout === 'v2'
        ? draft.files.map(spanByFileName)
        : determineSpans(draft.files.map(({ runs }) => runs));
    if (found === null) {
      recordUnfixed(draft, 'rows_scattered', {
        message: 'the rows of an episode are not contiguous, and frame_index does not give their order',
        advice: 'Sort the data files by episode_index and frame_index.',
      });
      return;
    }
    for (const [at, file] of draft.files.entries()) {
      file.spans = found[at];
      for (const span of file.spans) fixEpisodeIndex(draft, file, span);
    }
  },
};

/** Assigns all rows of a file to the episode in its name (v2). */
function spanByFileName(file: DataFile): RowSpan[] {
  return [{ episode: parseEpisodeNumber(file.path) ?? 0, start: 0, rows: file.rows }];
}

/**
 * Assigns rows to episodes by episode_index, or by frame_index if that is inconsistent. Returns null if neither works.
 */
function determineSpans(files: readonly (readonly RowRun[])[]): RowSpan[][] | null {
  const asCarried = files.map((runs) => runs.map(({ episode, start, rows }) => ({ episode, start, rows })));
  if (isStrictlyAscending(asCarried)) return asCarried;
  const byFrames = files.map(groupByFrames);
  return isStrictlyAscending(byFrames) ? byFrames : null;
}

/** Groups runs with consecutive frame_index; each group gets the episode number that most of its rows have. */
function groupByFrames(runs: readonly RowRun[]): RowSpan[] {
  const groups: RowRun[][] = [];
  for (const run of runs) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && run.firstFrame === last.lastFrame + 1) groups[groups.length - 1].push(run);
    else groups.push([run]);
  }
  return groups.map((group) => ({
    episode: mostFrequentEpisode(group),
    start: group[0].start,
    rows: group.reduce((sum, { rows }) => sum + rows, 0),
  }));
}

function mostFrequentEpisode(group: readonly RowRun[]): number {
  const counts = new Map<number, number>();
  for (const { episode, rows } of group) counts.set(episode, (counts.get(episode) ?? 0) + rows);
  return [...counts].sort((a, b) => b[1] - a[1])[0][0];
}

function isStrictlyAscending(files: readonly (readonly RowSpan[])[]): boolean {
  const numbers = files.flat().map(({ episode }) => episode);
  return numbers.every((number, at) => number >= 0 && (at === 0 || number > numbers[at - 1]));
}

function fixEpisodeIndex(draft: LeRobotDraft, file: DataFile, span: RowSpan): void {
  if (!hasColumn(file, 'episode_index')) return;
  const end = span.start + span.rows;
  const wrong = file.runs.filter(
    (run) => run.start >= span.start && run.start < end && run.episode !== span.episode,
  );
  if (wrong.length === 0) return;
  file.editedColumns.add('episode_index');
  const rows = wrong.reduce((sum, run) => sum + run.rows, 0);
  recordChange(draft, numberEpisodes, ['rows_of_another_episode'], {
    path: file.path,
    episode: span.episode,
    what: `episode_index of ${rows} rows from row ${wrong[0].start}`,
    before: formatList([...new Set(wrong.map(({ episode }) => (episode < 0 ? 'none' : episode)))]),
    after: String(span.episode),
  });
}

/** Fix: renumbers `frame_index` per episode and `index` over the set. */
export const numberRows: LeRobotFix = {
  id: 'number-rows',
  title: 'Renumber frame_index per episode and index over the dataset',
  answers: ['frame_index_broken', 'index_broken'],
  run: (draft) => {
    const lost = findMissingEpisodes(draft);
    let [rows, at] = [0, 0];
    for (const file of draft.files) {
      for (; at < lost.length && lost[at].index < (file.spans[0]?.episode ?? 0); at++)
        rows += lost[at].length ?? 0;
      file.firstIndex = rows;
      rows += file.rows;
      for (const span of file.spans) fixFrameIndex(draft, file, span);
      fixIndex(draft, file);
    }
  },
};

/** Returns the listed episodes without rows, sorted; their indexes stay reserved. */
function findMissingEpisodes({ episodes, files }: LeRobotDraft): DraftEpisode[] {
  const there = new Set(files.flatMap(({ spans }) => spans.map(({ episode }) => episode)));
  return episodes.filter(({ index }) => !there.has(index)).sort((a, b) => a.index - b.index);
}

function runsInSpan(file: DataFile, { start, rows }: RowSpan): RowRun[] {
  return file.runs.filter((run) => run.start >= start && run.start < start + rows);
}

function fixFrameIndex(draft: LeRobotDraft, file: DataFile, span: RowSpan): void {
  if (!hasColumn(file, 'frame_index')) return;
  const wrong = runsInSpan(file, span).find(
    (run) => !run.framesConsecutive || run.firstFrame !== run.start - span.start,
  );
  if (wrong === undefined) return;
  file.editedColumns.add('frame_index');
  recordChange(draft, numberRows, ['frame_index_broken'], {
    path: file.path,
    episode: span.episode,
    what: `frame_index of ${span.rows} rows from row ${span.start}`,
    before: `${wrong.firstFrame} to ${wrong.lastFrame} in ${wrong.rows} rows`,
    after: `0 to ${span.rows - 1}`,
  });
}

function fixIndex(draft: LeRobotDraft, file: DataFile): void {
  if (!hasColumn(file, 'index')) return;
  const wrong = file.runs.find(
    (run) => !run.indexConsecutive || run.firstIndex !== file.firstIndex + run.start,
  );
  if (wrong === undefined) return;
  file.editedColumns.add('index');
  const should = file.firstIndex + wrong.start;
  recordChange(draft, numberRows, ['index_broken'], {
    path: file.path,
    what: `index of ${file.rows} rows`,
    before:
      wrong.firstIndex === should
        ? `gaps after row ${wrong.start}`
        : `${wrong.firstIndex} in row ${wrong.start}`,
    after: `${file.firstIndex} to ${file.firstIndex + file.rows - 1}`,
  });
}

import { type DataFile, hasColumn, type RowSpan, type Run } from '../draft/data-file.ts';
import type { LeRobotDraft } from '../draft/draft.ts';
import type { DraftEpisode } from '../draft/episode.ts';
import { changed, type Mend } from './mend.ts';

/** `frame_index` counts the rows of each episode, `index` those of the set. */
export const numberRows: Mend = {
  id: 'number-rows',
  title: 'frame_index counts the rows of an episode, index those of the set',
  answers: ['frame_index_broken', 'index_broken'],
  run: (draft) => {
    const lost = lostEpisodes(draft);
    let [rows, at] = [0, 0];
    for (const file of draft.files) {
      for (; at < lost.length && lost[at].index < (file.spans[0]?.episode ?? 0); at++)
        rows += lost[at].length ?? 0;
      file.firstIndex = rows;
      rows += file.rows;
      for (const span of file.spans) noteFrames(draft, file, span);
      noteIndex(draft, file);
    }
  },
};

/** Episodes that are listed and whose file is missing or damaged: the others keep their numbers. */
function lostEpisodes({ episodes, files }: LeRobotDraft): DraftEpisode[] {
  const there = new Set(files.flatMap(({ spans }) => spans.map(({ episode }) => episode)));
  return episodes.filter(({ index }) => !there.has(index)).sort((a, b) => a.index - b.index);
}

function runsOf(file: DataFile, { start, rows }: RowSpan): Run[] {
  return file.runs.filter((run) => run.start >= start && run.start < start + rows);
}

function noteFrames(draft: LeRobotDraft, file: DataFile, span: RowSpan): void {
  if (!hasColumn(file, 'frame_index')) return;
  const wrong = runsOf(file, span).find(
    (run) => !run.framesSteady || run.firstFrame !== run.start - span.start,
  );
  if (wrong === undefined) return;
  file.edits.add('frame_index');
  changed(draft, numberRows, ['frame_index_broken'], {
    path: file.path,
    episode: span.episode,
    what: `frame_index of ${span.rows} rows from row ${span.start}`,
    before: `${wrong.firstFrame} to ${wrong.lastFrame} in ${wrong.rows} rows`,
    after: `0 to ${span.rows - 1}`,
  });
}

function noteIndex(draft: LeRobotDraft, file: DataFile): void {
  if (!hasColumn(file, 'index')) return;
  const wrong = file.runs.find((run) => !run.indexSteady || run.firstIndex !== file.firstIndex + run.start);
  if (wrong === undefined) return;
  file.edits.add('index');
  const should = file.firstIndex + wrong.start;
  changed(draft, numberRows, ['index_broken'], {
    path: file.path,
    what: `index of ${file.rows} rows`,
    before:
      wrong.firstIndex === should
        ? `holes behind row ${wrong.start}`
        : `${wrong.firstIndex} in row ${wrong.start}`,
    after: `${file.firstIndex} to ${file.firstIndex + file.rows - 1}`,
  });
}

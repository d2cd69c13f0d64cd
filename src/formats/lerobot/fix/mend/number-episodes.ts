import { type DataFile, hasColumn, type RowSpan, type Run } from '../draft/data-file.ts';
import { episodeOfPath, type LeRobotDraft } from '../draft/draft.ts';
import { changed, few, type Mend, unfixed } from './mend.ts';

/** Finds which rows belong to which episode, and writes `episode_index` so. */
export const numberEpisodes: Mend = {
  id: 'number-episodes',
  title: 'Rows carry the number of their own episode',
  answers: ['rows_of_another_episode', 'rows_scattered'],
  run: (draft) => {
    const found =
      draft.layout === 'v2' ? draft.files.map(byName) : spansOf(draft.files.map(({ runs }) => runs));
    if (found === null) {
      unfixed(draft, 'rows_scattered', {
        message:
          'the rows of an episode do not lie together, and frame_index does not say where each belongs',
        advice: 'Sort the data files by episode_index and frame_index.',
      });
      return;
    }
    for (const [at, file] of draft.files.entries()) {
      file.spans = found[at];
      for (const span of file.spans) note(draft, file, span);
    }
  },
};

/** v2: the file's name says which episode its rows are. */
function byName(file: DataFile): RowSpan[] {
  return [{ episode: episodeOfPath(file.path) ?? 0, start: 0, rows: file.rows }];
}

/** Spans by file; null where rows cannot be told apart. */
function spansOf(files: readonly (readonly Run[])[]): RowSpan[][] | null {
  const asCarried = files.map((runs) => runs.map(({ episode, start, rows }) => ({ episode, start, rows })));
  if (risesAlways(asCarried)) return asCarried;
  const byFrames = files.map(spansByFrames);
  return risesAlways(byFrames) ? byFrames : null;
}

/** Rows whose frame_index counts on belong together; the number that most of them carry is theirs. */
function spansByFrames(runs: readonly Run[]): RowSpan[] {
  const groups: Run[][] = [];
  for (const run of runs) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && run.firstFrame === last.lastFrame + 1) groups[groups.length - 1].push(run);
    else groups.push([run]);
  }
  return groups.map((group) => ({
    episode: mostCarried(group),
    start: group[0].start,
    rows: group.reduce((sum, { rows }) => sum + rows, 0),
  }));
}

function mostCarried(group: readonly Run[]): number {
  const counts = new Map<number, number>();
  for (const { episode, rows } of group) counts.set(episode, (counts.get(episode) ?? 0) + rows);
  return [...counts].sort((a, b) => b[1] - a[1])[0][0];
}

function risesAlways(files: readonly (readonly RowSpan[])[]): boolean {
  const numbers = files.flat().map(({ episode }) => episode);
  return numbers.every((number, at) => number >= 0 && (at === 0 || number > numbers[at - 1]));
}

function note(draft: LeRobotDraft, file: DataFile, span: RowSpan): void {
  if (!hasColumn(file, 'episode_index')) return;
  const end = span.start + span.rows;
  const wrong = file.runs.filter(
    (run) => run.start >= span.start && run.start < end && run.episode !== span.episode,
  );
  if (wrong.length === 0) return;
  file.edits.add('episode_index');
  const rows = wrong.reduce((sum, run) => sum + run.rows, 0);
  changed(draft, numberEpisodes, ['rows_of_another_episode'], {
    path: file.path,
    episode: span.episode,
    what: `episode_index of ${rows} rows from row ${wrong[0].start}`,
    before: few([...new Set(wrong.map(({ episode }) => (episode < 0 ? 'none' : episode)))]),
    after: String(span.episode),
  });
}

import type { LeRobotDraft } from '../draft/draft.ts';
import { changed, type Home, homesOf, type Mend } from './mend.ts';
import { tasksOf } from './task-uses.ts';

/** The table of episodes names the tasks that the rows name: training goes by the rows. */
export const episodeTasks: Mend = {
  id: 'episode-tasks',
  title: 'The table of episodes names the tasks that the rows name: training goes by the rows',
  answers: ['task_text_unlisted', 'task_text_contradicts'],
  run: (draft) => {
    if (draft.tasks === null) return;
    const texts = new Map(draft.tasks.tasks.map(({ index, text }) => [index, text]));
    const known = new Set(texts.values());
    const homes = homesOf(draft);
    for (const episode of draft.episodes) {
      const home = homes.get(episode.index);
      const own = home === undefined ? null : textsOf(home, texts);
      if (own === null || own.length === 0 || agrees(own, episode.tasks ?? [], known)) continue;
      const before = episode.tasks ?? [];
      episode.tasks = own;
      draft.episodeEdits.add('tasks');
      draft.episodesEdited.add(episode.index);
      if (episode.home !== null)
        note(draft, episode.index, episode.home, before, own, new Set(texts.values()));
    }
  },
};

/** Null where a row's task has no text. */
function textsOf({ file, span }: Home, texts: ReadonlyMap<number, string>): string[] | null {
  const changes = file.tasks.get(span.episode);
  const own = [...tasksOf(file, span)].map((index) => texts.get(changes?.get(index) ?? index));
  return own.every((text): text is string => text !== undefined) ? [...new Set(own)] : null;
}

/** Some sets name more than the rows do: what the table of tasks knows may stay. */
function agrees(own: readonly string[], said: readonly string[], known: ReadonlySet<string>): boolean {
  return own.every((text) => said.includes(text)) && said.every((text) => known.has(text));
}

function note(
  draft: LeRobotDraft,
  episode: number,
  path: string,
  before: readonly string[],
  after: readonly string[],
  known: ReadonlySet<string>,
): void {
  const unlisted = before.some((text) => !known.has(text));
  changed(draft, episodeTasks, [unlisted ? 'task_text_unlisted' : 'task_text_contradicts'], {
    path,
    episode,
    what: 'tasks',
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  });
}

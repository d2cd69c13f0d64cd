import type { JsonDocument } from '../../../shared/fix/json-document.ts';
import { type LeRobotDraft, statisticsPath } from '../draft/draft.ts';
import type { StatisticsEntry } from '../draft/statistics-entry.ts';
import { tablePath } from '../mend/list-episodes.ts';
import { changed, type Mend } from '../mend/mend.ts';
import { episodeStatisticsPath } from './declared.ts';

/** Why an entry is written anew, for people. */
interface Said {
  readonly code: Mend['answers'][number];
  readonly before: string;
  readonly after: string;
}

/** Writes statistics of one feature in one episode; `home` is the table's file that lists it, null where its row is new. */
export function putEpisodeEntry(
  draft: LeRobotDraft,
  { index, home }: { readonly index: number; readonly home: string | null },
  key: string,
  entry: StatisticsEntry,
  { code, before, after }: Said,
): void {
  const entries = draft.statistics.get(index) ?? {};
  entries[key] = entry;
  draft.statistics.set(index, entries);
  if (draft.layout === 'v3') {
    draft.episodesEdited.add(index);
    for (const name of Object.keys(entry)) draft.episodeEdits.add(`stats/${key}/${name}`);
    if (home === null) return;
  }
  const path = draft.layout === 'v2' ? episodeStatisticsPath : (home ?? tablePath(draft));
  changed(draft, { id: 'statistics' }, [code], {
    path,
    episode: index,
    what: `statistics of ${key}`,
    before,
    after,
  });
}

/** Writes the set's statistics of one feature. */
export function putSetEntry(
  draft: LeRobotDraft,
  document: JsonDocument,
  key: string,
  entry: StatisticsEntry,
  { code, before, after }: Said,
): void {
  document.set([key], entry);
  changed(draft, { id: 'statistics' }, [code], { path: statisticsPath, what: key, before, after });
}

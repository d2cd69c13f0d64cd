import type { JsonValue } from '#core';
import { isObject } from '../../../shared/fix/json-document.ts';
import { camerasOf, episodeOfPath, infoPath, type LeRobotDraft } from '../draft/draft.ts';
import { changed, homesOf, type Mend, totalRows } from './mend.ts';

/** The counts of info.json are those of the tables and files. */
export const infoTotals: Mend = {
  id: 'info-totals',
  title: 'Totals, splits and chunk size of meta/info.json are those of the tables and files',
  answers: [
    'total_episodes_too_high',
    'total_episodes_too_low',
    'total_frames_wrong',
    'metadata_count_mismatch',
    'path_template_wrong',
  ],
  run: (draft) => {
    const before = draft.info.value;
    const count = draft.episodes.length;
    const known = Number(before.total_episodes ?? 0);
    put(draft, 'total_episodes', count, known > count ? 'total_episodes_too_high' : 'total_episodes_too_low');
    // What is lost or cannot be read has rows too.
    const there = homesOf(draft);
    if (draft.damaged.size === 0 && draft.episodes.every(({ index }) => there.has(index)))
      put(draft, 'total_frames', totalRows(draft), 'total_frames_wrong');
    if (draft.tasks !== null) put(draft, 'total_tasks', draft.tasks.tasks.length, 'metadata_count_mismatch');
    if (draft.layout === 'v2') totalsV2(draft);
    splits(draft, count);
  },
};

function totalsV2(draft: LeRobotDraft): void {
  fitChunks(draft);
  const { value } = draft.info;
  const paths = draft.paths.filter((path) => !draft.removed.has(path));
  const videos = paths.filter((path) => /^videos\/.*\.mp4$/.test(path)).length;
  const wanted = draft.episodes.length * camerasOf(value).length;
  if (videos === wanted) putIfThere(draft, 'total_videos', videos);
  const chunks = new Set(paths.flatMap((path) => /^data\/([^/]+)\//.exec(path)?.[1] ?? []));
  putIfThere(draft, 'total_chunks', chunks.size);
}

/** The size by which every file lies where the library looks; kept while it does. */
function fitChunks(draft: LeRobotDraft): void {
  const places = draft.files.flatMap(({ path }): (readonly [episode: number, chunk: number])[] => {
    const chunk = /chunk-(\d+)\//.exec(path);
    const episode = episodeOfPath(path);
    return chunk === null || episode === null ? [] : [[episode, Number(chunk[1])]];
  });
  const fits = (size: number) => places.every(([episode, chunk]) => Math.floor(episode / size) === chunk);
  const now = Number(draft.info.value.chunks_size ?? 1000);
  if (places.length === 0 || fits(now)) return;
  const firsts = places.flatMap(([episode, chunk]) => (chunk > 0 ? Math.floor(episode / chunk) : []));
  const size = [1000, 100, 10, ...firsts].find(fits);
  if (size !== undefined) put(draft, 'chunks_size', size, 'path_template_wrong');
}

function splits(draft: LeRobotDraft, count: number): void {
  const all = draft.info.value.splits;
  if (!isObject(all)) return;
  for (const [name, range] of Object.entries(all)) {
    const match = typeof range === 'string' ? /^(\d+):(\d+)$/.exec(range) : null;
    if (match === null) continue;
    const only = Object.keys(all).length === 1 && match[1] === '0';
    const end = only ? count : Math.min(count, Number(match[2]));
    const after = `${Math.min(Number(match[1]), end)}:${end}`;
    if (after === range) continue;
    draft.info.set(['splits', name], after);
    note(draft, `splits.${name}`, range, after, 'metadata_count_mismatch');
  }
}

function putIfThere(draft: LeRobotDraft, key: string, value: number): void {
  if (key in draft.info.value) put(draft, key, value, 'metadata_count_mismatch');
}

function put(draft: LeRobotDraft, key: string, value: number, code: Mend['answers'][number]): void {
  const before = draft.info.value[key];
  if (before === value) return;
  draft.info.set([key], value);
  note(draft, key, before, value, code);
}

function note(
  draft: LeRobotDraft,
  key: string,
  before: JsonValue | undefined,
  after: JsonValue,
  code: Mend['answers'][number],
): void {
  const answers: Mend['answers'] =
    code === 'metadata_count_mismatch' ? [code] : [code, 'metadata_count_mismatch'];
  changed(draft, infoTotals, answers, {
    path: infoPath,
    what: key,
    before: before === undefined ? 'absent' : JSON.stringify(before),
    after: JSON.stringify(after),
  });
}

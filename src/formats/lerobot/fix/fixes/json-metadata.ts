import type { JsonValue } from '#core';
import { isObject } from '../../../shared/fix/json-files.ts';
import { infoPath, type LeRobotDraft, listVideoCameras, parseEpisodeNumber } from '../draft.ts';
import { countRows, type LeRobotFix, locateEpisodes, recordChange, recordUnfixed } from './fix.ts';

/** Fix: corrects totals, splits and chunk size of meta/info.json. */
export const infoTotals: LeRobotFix = {
  id: 'info-totals',
  title: 'Correct totals, splits and chunk size in meta/info.json',
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
    setTotal(
      draft,
      'total_episodes',
      count,
      known > count ? 'total_episodes_too_high' : 'total_episodes_too_low',
    );
    // Missing and unreadable files have rows too, so the total is only set without them.
    const there = locateEpisodes(draft);
    if (draft.damaged.size === 0 && draft.episodes.every(({ index }) => there.has(index)))
      setTotal(draft, 'total_frames', countRows(draft), 'total_frames_wrong');
    if (draft.tasks !== null)
      setTotal(draft, 'total_tasks', draft.tasks.tasks.length, 'metadata_count_mismatch');
    if (draft.layout === 'v2') fixTotalsV2(draft);
    fixSplits(draft, count);
  },
};

/** Corrects the v2 totals of videos and chunks, and the chunk size. */
function fixTotalsV2(draft: LeRobotDraft): void {
  fixChunkSize(draft);
  const { value } = draft.info;
  const paths = draft.paths.filter((path) => !draft.removed.has(path));
  const videos = paths.filter((path) => /^videos\/.*\.mp4$/.test(path)).length;
  const wanted = draft.episodes.length * listVideoCameras(value).length;
  if (videos === wanted) setIfPresent(draft, 'total_videos', videos);
  const chunks = new Set(paths.flatMap((path) => /^data\/([^/]+)\//.exec(path)?.[1] ?? []));
  setIfPresent(draft, 'total_chunks', chunks.size);
}

/** Sets the chunk size with which every file is where the library looks; an already matching size is retained. */
function fixChunkSize(draft: LeRobotDraft): void {
  const places = draft.files.flatMap(({ path }): (readonly [episode: number, chunk: number])[] => {
    const chunk = /chunk-(\d+)\//.exec(path);
    const episode = parseEpisodeNumber(path);
    return chunk === null || episode === null ? [] : [[episode, Number(chunk[1])]];
  });
  const fits = (size: number) => places.every(([episode, chunk]) => Math.floor(episode / size) === chunk);
  const now = Number(draft.info.value.chunks_size ?? 1000);
  if (places.length === 0 || fits(now)) return;
  const firsts = places.flatMap(([episode, chunk]) => (chunk > 0 ? Math.floor(episode / chunk) : []));
  const size = [1000, 100, 10, ...firsts].find(fits);
  if (size !== undefined) setTotal(draft, 'chunks_size', size, 'path_template_wrong');
}

/** Limits the splits to the number of episodes; a single split from 0 is extended to all. */
function fixSplits(draft: LeRobotDraft, count: number): void {
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
    recordInfoChange(draft, `splits.${name}`, range, after, 'metadata_count_mismatch');
  }
}

/** Sets a total only if info.json has it. */
function setIfPresent(draft: LeRobotDraft, key: string, value: number): void {
  if (key in draft.info.value) setTotal(draft, key, value, 'metadata_count_mismatch');
}

/** Sets a value of info.json and records the change; does nothing if it is equal. */
function setTotal(
  draft: LeRobotDraft,
  key: string,
  value: number,
  code: LeRobotFix['answers'][number],
): void {
  const before = draft.info.value[key];
  if (before === value) return;
  draft.info.set([key], value);
  recordInfoChange(draft, key, before, value, code);
}

function recordInfoChange(
  draft: LeRobotDraft,
  key: string,
  before: JsonValue | undefined,
  after: JsonValue,
  code: LeRobotFix['answers'][number],
): void {
  const answers: LeRobotFix['answers'] =
    code === 'metadata_count_mismatch' ? [code] : [code, 'metadata_count_mismatch'];
  recordChange(draft, infoTotals, answers, {
    path: infoPath,
    what: key,
    before: before === undefined ? 'absent' : JSON.stringify(before),
    after: JSON.stringify(after),
  });
}

/** Fix: rewrites JSON files that are not standard JSON. */
export const jsonText: LeRobotFix = {
  id: 'json-text',
  title: 'Rewrite JSON files in meta/ as standard JSON in UTF-8',
  answers: ['json_refused', 'nonstandard_json'],
  run: (draft) => {
    for (const [path, oddities] of draft.oddities) {
      const unfixable = oddities.filter((oddity) => oddity.startsWith('nesting'));
      const fixable = oddities.filter((oddity) => !unfixable.includes(oddity));
      if (fixable.length > 0)
        recordChange(draft, jsonText, jsonText.answers, {
          path,
          what: 'text',
          before: fixable.join(', '),
          after: 'standard JSON',
        });
      if (unfixable.length > 0)
        recordUnfixed(draft, 'json_refused', {
          path,
          message: `${path} contains ${unfixable.join(', ')}, which Python cannot parse`,
          advice: 'Remove the deeply nested values, or rewrite the file.',
        });
    }
  },
};

import { join } from 'node:path';
import { type LeRobotDraft, listVideoCameras, parseEpisodeNumber, parseFeatures } from '../draft.ts';
import { salvageData } from '../salvage-data.ts';
import { videoFilesV3 } from '../video-paths.ts';
import { countRows, formatList, type LeRobotFix, recordChange, recordUnfixed } from './fix.ts';

/** Fix: restores the footer of data files whose recorder was killed, for every complete row group. */
export const recoverData: LeRobotFix = {
  id: 'recover-data',
  title: 'Rebuild the footer of data files after the recorder was killed, keeping all complete row groups',
  answers: ['data_file_unreadable'],
  run: async (draft) => {
    await dropUnsavedEpisode(draft);
    for (const file of draft.files) {
      if (!draft.salvaged.has(file.path)) continue;
      const episodes = [...new Set(file.runs.map(({ episode }) => episode))];
      recordChange(draft, recoverData, ['data_file_unreadable'], {
        path: file.path,
        what: 'footer',
        before: 'missing: the recorder was killed before writing it',
        after: `${file.rows} rows of ${episodes.length === 1 ? 'episode' : 'episodes'} ${formatList(episodes)}`,
      });
    }
    for (const [path, why] of draft.damaged) {
      const episode = draft.layout === 'v2' ? parseEpisodeNumber(path) : null;
      recordUnfixed(draft, 'data_file_unreadable', {
        path,
        ...(episode === null ? {} : { episode }),
        message: `cannot read ${path}, and it has no complete row group: ${why}`,
        advice: 'Copy the file again, or re-record its episodes.',
      });
    }
    reportLostEpisodes(draft);
  },
};

/**
 * Drops the last episode if its rows were written but not its videos (v3): the recorder was killed before it was
 * saved.
 */
async function dropUnsavedEpisode(draft: LeRobotDraft): Promise<void> {
  const file = draft.files.at(-1);
  const groups = draft.salvaged.get(file?.path ?? '');
  const last = file?.runs.at(-1);
  if (file === undefined || groups === undefined || last === undefined || draft.layout === 'v2') return;
  if (!(last.episode >= Number(draft.info.value.total_episodes ?? Infinity))) return;
  const frames = await countFrames(draft);
  if (frames === null || frames !== countRows(draft) - last.rows || groups < 2) return;
  const intact = draft.files.slice(0, -1).map(({ absolute }) => absolute);
  const source = join(draft.root, file.path);
  const less = await salvageData(
    source,
    file.path,
    draft.scratch,
    parseFeatures(draft.info.value),
    intact,
    groups - 1,
  );
  if (less === null) return;
  draft.files = [...draft.files.slice(0, -1), less.file];
  recordUnfixed(draft, 'data_file_unreadable', {
    path: file.path,
    episode: last.episode,
    message: `episode ${last.episode} was not saved before the recorder was killed: it has ${last.rows} rows, but no video`,
    advice: 'Re-record the episode.',
  });
}

/** Counts the frames of the first camera; null if there is no camera or a video is unreadable. */
async function countFrames(draft: LeRobotDraft): Promise<number | null> {
  const [camera] = listVideoCameras(draft.info.value);
  if (camera === undefined) return null;
  let frames = 0;
  for (const { path } of videoFilesV3(draft, camera))
    frames += (await draft.videos.get(path))?.frames ?? Number.NaN;
  return Number.isNaN(frames) ? null : frames;
}

/** Reports episodes counted in info.json of which no rows were recovered as unfixed. */
function reportLostEpisodes(draft: LeRobotDraft): void {
  if (draft.salvaged.size === 0) return;
  const total = Number(draft.info.value.total_episodes ?? 0);
  const there = new Set(draft.files.flatMap(({ runs }) => runs.map(({ episode }) => episode)));
  const lost = Array.from({ length: Math.min(total, 1_000_000) }, (_, at) => at).filter(
    (at) => !there.has(at),
  );
  if (lost.length === 0) return;
  recordUnfixed(draft, 'data_file_unreadable', {
    message: `the rows of episodes ${formatList(lost)} are lost: they were never written to disk`,
    advice: 'Re-record these episodes.',
  });
}

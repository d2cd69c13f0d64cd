import { join } from 'node:path';
import { camerasOf, episodeOfPath, featuresOf, type LeRobotDraft } from '../draft/draft.ts';
import { salvageData } from '../draft/salvage-data.ts';
import { videoFilesV3 } from '../draft/video-paths.ts';
import { changed, few, type Mend, totalRows, unfixed } from './mend.ts';

/** Data files of a killed recorder get a footer for every row group that is whole. */
export const recoverData: Mend = {
  id: 'recover-data',
  title: 'Data files whose recorder was killed get a footer for every row group that is whole',
  answers: ['data_file_unreadable'],
  run: async (draft) => {
    await leaveUnsaved(draft);
    for (const file of draft.files) {
      if (!draft.salvaged.has(file.path)) continue;
      const episodes = [...new Set(file.runs.map(({ episode }) => episode))];
      changed(draft, recoverData, ['data_file_unreadable'], {
        path: file.path,
        what: 'footer',
        before: 'none: the recorder was killed before it wrote one',
        after: `${file.rows} rows of ${episodes.length === 1 ? 'episode' : 'episodes'} ${few(episodes)}`,
      });
    }
    for (const [path, why] of draft.damaged) {
      const episode = draft.layout === 'v2' ? episodeOfPath(path) : null;
      unfixed(draft, 'data_file_unreadable', {
        path,
        ...(episode === null ? {} : { episode }),
        message: `${path} cannot be read, and no row group of it is whole: ${why}`,
        advice: 'Copy the file again, or record its episodes again.',
      });
    }
    nameLost(draft);
  },
};

/** v3: an episode whose rows were written and whose videos were not was never saved: the recorder was killed between. */
async function leaveUnsaved(draft: LeRobotDraft): Promise<void> {
  const file = draft.files.at(-1);
  const groups = draft.salvaged.get(file?.path ?? '');
  const last = file?.runs.at(-1);
  if (file === undefined || groups === undefined || last === undefined || draft.layout === 'v2') return;
  if (!(last.episode >= Number(draft.info.value.total_episodes ?? Infinity))) return;
  const frames = await framesOf(draft);
  if (frames === null || frames !== totalRows(draft) - last.rows || groups < 2) return;
  const sound = draft.files.slice(0, -1).map(({ absolute }) => absolute);
  const source = join(draft.root, file.path);
  const less = await salvageData(
    source,
    file.path,
    draft.scratch,
    featuresOf(draft.info.value),
    sound,
    groups - 1,
  );
  if (less === null) return;
  draft.files = [...draft.files.slice(0, -1), less.file];
  unfixed(draft, 'data_file_unreadable', {
    path: file.path,
    episode: last.episode,
    message: `episode ${last.episode} had not been saved when the recorder was killed: it has ${last.rows} rows and no video`,
    advice: 'Record it again.',
  });
}

/** Frames of the first camera; null where it is not known. */
async function framesOf(draft: LeRobotDraft): Promise<number | null> {
  const [camera] = camerasOf(draft.info.value);
  if (camera === undefined) return null;
  let frames = 0;
  for (const { path } of videoFilesV3(draft, camera))
    frames += (await draft.videos.of(path))?.frames ?? Number.NaN;
  return Number.isNaN(frames) ? null : frames;
}

/** Episodes that info.json counts and of which nothing was got back. */
function nameLost(draft: LeRobotDraft): void {
  if (draft.salvaged.size === 0) return;
  const total = Number(draft.info.value.total_episodes ?? 0);
  const there = new Set(draft.files.flatMap(({ runs }) => runs.map(({ episode }) => episode)));
  const lost = Array.from({ length: Math.min(total, 1_000_000) }, (_, at) => at).filter(
    (at) => !there.has(at),
  );
  if (lost.length === 0) return;
  unfixed(draft, 'data_file_unreadable', {
    message: `the rows of episodes ${few(lost)} are lost: they had not reached the disk`,
    advice: 'Record them again.',
  });
}

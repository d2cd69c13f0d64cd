import { camerasOf, episodeOfPath, type LeRobotDraft } from '../draft/draft.ts';
import { videoPathV3 } from '../draft/video-paths.ts';
import { changed, type Mend } from './mend.ts';

/** v2: files of episodes that no table lists leave the set; the journal keeps them. */
export const orphans: Mend = {
  id: 'orphans',
  title: 'Files that no listed episode names leave the set; the journal keeps them',
  answers: ['file_unreferenced', 'episode_unlisted'],
  run: (draft) => {
    if (draft.layout === 'v2') orphansV2(draft);
    else orphansV3(draft);
  },
};

function orphansV2(draft: LeRobotDraft): void {
  if (draft.episodes.length === 0) return;
  const listed = new Set(draft.episodes.map(({ index }) => index));
  for (const path of draft.paths) {
    const episode = /^(data|videos)\//.test(path) ? episodeOfPath(path) : null;
    if (episode !== null && !listed.has(episode)) take(draft, path);
  }
  draft.files = draft.files.filter(({ path }) => !draft.removed.has(path));
}

/** v3: only videos; rows of data files are listed instead. */
function orphansV3(draft: LeRobotDraft): void {
  const cameras = camerasOf(draft.info.value);
  const sound = draft.episodes.every(({ videos }) => cameras.every((camera) => videos.has(camera)));
  if (draft.episodes.length === 0 || !sound || draft.episodeFilesDamaged.length > 0) return;
  const used = new Set(
    draft.episodes.flatMap(({ videos }) =>
      [...videos].map(([camera, { chunk, file }]) => videoPathV3(draft, camera, chunk, file)),
    ),
  );
  for (const path of draft.paths) if (/^videos\/.*\.mp4$/.test(path) && !used.has(path)) take(draft, path);
}

function take(draft: LeRobotDraft, path: string): void {
  draft.removed.add(path);
  changed(draft, orphans, ['file_unreferenced'], {
    path,
    what: 'file',
    before: 'there, and in no listed episode',
    after: 'kept in the journal',
  });
}

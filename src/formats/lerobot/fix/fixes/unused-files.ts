import { type LeRobotDraft, listVideoCameras, parseEpisodeNumber, parseFeatures } from '../draft.ts';
import { videoPathV3 } from '../video-paths.ts';
import { type LeRobotFix, recordChange } from './fix.ts';

/** Fix: removes files that no listed episode uses; the journal keeps them. */
export const orphans: LeRobotFix = {
  id: 'orphans',
  title: 'Remove files that no listed episode references; they are kept in the journal',
  answers: ['file_unreferenced', 'episode_unlisted'],
  run: (draft) => {
    if (draft.layout === 'v2') removeOrphansV2(draft);
    else removeOrphansV3(draft);
  },
};

/** Removes data and video files of unlisted episodes (v2). */
function removeOrphansV2(draft: LeRobotDraft): void {
  if (draft.episodes.length === 0) return;
  const listed = new Set(draft.episodes.map(({ index }) => index));
  for (const path of draft.paths) {
    const episode = /^(data|videos)\//.test(path) ? parseEpisodeNumber(path) : null;
    if (episode !== null && !listed.has(episode)) removeFile(draft, path);
  }
  draft.files = draft.files.filter(({ path }) => !draft.removed.has(path));
}

/** Removes unused videos (v3); unlisted rows of data files get a table row instead. */
function removeOrphansV3(draft: LeRobotDraft): void {
  const cameras = listVideoCameras(draft.info.value);
  const complete = draft.episodes.every(({ videos }) => cameras.every((camera) => videos.has(camera)));
  if (draft.episodes.length === 0 || !complete || draft.episodeFilesDamaged.length > 0) return;
  const used = new Set(
    draft.episodes.flatMap(({ videos }) =>
      [...videos].map(([camera, { chunk, file }]) => videoPathV3(draft, camera, chunk, file)),
    ),
  );
  for (const path of draft.paths)
    if (/^videos\/.*\.mp4$/.test(path) && !used.has(path)) removeFile(draft, path);
}

function removeFile(draft: LeRobotDraft, path: string): void {
  draft.removed.add(path);
  recordChange(draft, orphans, ['file_unreferenced'], {
    path,
    what: 'file',
    before: 'not referenced by any listed episode',
    after: 'removed; kept in the journal',
  });
}

/** Fix: removes pictures of unfinished takes from images/, which would be encoded with the next recording. */
export const stagingPictures: LeRobotFix = {
  id: 'staging-pictures',
  title: 'Remove images of unfinished takes from images/; they are kept in the journal',
  answers: ['pictures_left_behind'],
  run: (draft) => {
    if ([...parseFeatures(draft.info.value).values()].some(({ dtype }) => dtype === 'image')) return;
    const left = draft.paths.filter((path) => /^images\/.*\.(png|jpe?g)$/i.test(path));
    const folders = Map.groupBy(left, (path) => path.slice(0, path.lastIndexOf('/')));
    for (const [folder, pictures] of folders) {
      for (const path of pictures) draft.removed.add(path);
      recordChange(draft, stagingPictures, ['pictures_left_behind'], {
        path: folder,
        what: `${pictures.length} ${pictures.length === 1 ? 'image' : 'images'} of an unfinished take`,
        before: 'there',
        after: 'removed; kept in the journal',
      });
    }
  },
};

import { join } from 'node:path';
import { camerasOf, type LeRobotDraft } from '../draft/draft.ts';
import { videoPathV2, videoPathV3 } from '../draft/video-paths.ts';
import { lfsPointerAt } from '../lfs-pointer-at.ts';
import { few, type Mend, unfixed } from './mend.ts';

/** Names videos that are not there, cannot be read or hold fewer frames than there are rows. */
export const nameVideos: Mend = {
  id: 'name-videos',
  title: 'Videos that cannot be mended are named',
  answers: [],
  run: async (draft) => {
    const there = new Set(draft.paths);
    for (const camera of camerasOf(draft.info.value)) {
      const rows = new Map<string, { rows: number; episodes: number[] }>();
      for (const episode of draft.episodes) {
        const window = episode.videos.get(camera);
        if (draft.layout === 'v3' && window === undefined) continue;
        const path =
          window === undefined
            ? videoPathV2(draft, camera, episode.index)
            : videoPathV3(draft, camera, window.chunk, window.file);
        const known = rows.get(path) ?? { rows: 0, episodes: [] };
        known.rows += episode.length ?? 0;
        known.episodes.push(episode.index);
        rows.set(path, known);
      }
      nameMissing(draft, camera, [...rows], there);
      for (const [path, held] of rows) if (there.has(path)) await name(draft, path, held);
    }
  },
};

function nameMissing(
  draft: LeRobotDraft,
  camera: string,
  videos: readonly (readonly [string, { readonly episodes: readonly number[] }])[],
  there: ReadonlySet<string>,
): void {
  const missing = videos.filter(([path]) => !there.has(path));
  if (missing.length === 0) return;
  const episodes = missing.flatMap(([, held]) => held.episodes);
  unfixed(draft, 'videos_missing', {
    path: missing[0][0],
    message: `${missing.length === 1 ? 'a video' : `${missing.length} videos`} of ${camera} ${missing.length === 1 ? 'is' : 'are'} not there, with the pictures of episodes ${few(episodes)}: ${few(
      missing.map(([path]) => path),
      2,
    )}`,
    advice:
      'Copy or download what is missing, or make the set anew without these episodes with lerobot’s delete_episodes.',
  });
}

async function name(
  draft: LeRobotDraft,
  path: string,
  { rows, episodes }: { readonly rows: number; readonly episodes: readonly number[] },
): Promise<void> {
  const of = `${episodes.length === 1 ? 'episode' : 'episodes'} ${few(episodes)}`;
  const fact = await draft.videos.of(path);
  if (fact === null) {
    const pointer = lfsPointerAt(join(draft.root, path));
    return unfixed(draft, pointer ? 'lfs_pointers' : 'image_undecodable', {
      path,
      message: pointer
        ? `${path} is a Git LFS pointer, not the video of ${of}`
        : `${path} cannot be read: it has no whole index; it has the pictures of ${of}`,
      advice: pointer
        ? 'Fetch it: run git lfs install and git lfs pull in the folder.'
        : 'Copy it again from where it was recorded, or record its episodes again.',
    });
  }
  if (fact.frames < rows)
    unfixed(draft, 'camera_frames_missing', {
      path,
      message: `${path} has ${fact.frames} frames for ${rows} rows of ${of}`,
      advice:
        'Record these episodes again, or leave them out: which rows lack a frame cannot be told from counts.',
    });
}

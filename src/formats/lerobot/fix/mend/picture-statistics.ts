import { createMediaService } from '#io/media';
import { featuresOf, type LeRobotDraft } from '../draft/draft.ts';
import { CameraEntries } from '../pictures/camera-entries.ts';
import type { DeclaredEntries } from '../statistics/declared.ts';
import type { StatisticsLook } from '../statistics/look.ts';

/** Episodes whose entries are read at once. */
const block = 500;

/**
 * Statistics of pictures are there and can be those of pictures; what is not is computed from a sample of the pictures,
 * as LeRobot does. With `--pictures` every entry is held against its pictures.
 */
export async function mendPictures(draft: LeRobotDraft, look: StatisticsLook): Promise<void> {
  const cameras = camerasIn(draft).map((camera) => new CameraEntries(draft, look, camera));
  if (cameras.length === 0) return;
  const media = createMediaService({ children: 1 });
  try {
    let declared: ReadonlyMap<number, DeclaredEntries> = new Map();
    for (const [at, episode] of draft.episodes.entries()) {
      draft.options.signal?.throwIfAborted();
      if (at % block === 0) {
        const numbers = draft.episodes.slice(at, at + block).map(({ index }) => index);
        declared = await look.declared.read(Math.min(...numbers), Math.max(...numbers));
      }
      let measured = false;
      for (const camera of cameras)
        measured = (await camera.add(episode, declared.get(episode.index) ?? {}, media)) || measured;
      if (measured) draft.options.onPictures?.(at + 1, draft.episodes.length);
    }
    for (const camera of cameras) camera.conclude();
  } finally {
    await media.close();
  }
}

/** Cameras in colour; the library keeps no statistics of others. */
function camerasIn({ info }: LeRobotDraft): string[] {
  return [...featuresOf(info.value)].flatMap(([key, { dtype, shape }]) =>
    (dtype === 'video' || dtype === 'image') && Array.isArray(shape) && shape.includes(3) ? [key] : [],
  );
}

import { AssayError, type JsonObject } from '#kernel';
import type { KeptEpisode } from './kept-episode.ts';

/** What info.json says that a copy goes by. */
export interface SetFeatures {
  readonly rate_hz: number;
  /** Features whose frames lie in video files. */
  readonly cameras: readonly string[];
  /** `features` of the new set's info.json. */
  readonly declaration: JsonObject;
  /** Cameras that the set declares and no kept episode has: the copy does not declare them. */
  readonly absent: readonly string[];
}

/** Throws `unreadable_input` where the metadata lacks what a copy needs, or one of the episodes lacks a camera. */
export function setFeatures(info: JsonObject, root: string, episodes: readonly KeptEpisode[]): SetFeatures {
  const { fps, features } = info;
  if (typeof fps !== 'number' || !(fps > 0) || typeof features !== 'object' || features === null)
    throw new AssayError('unreadable_input', `${root}/meta/info.json has no fps or no features`, {
      path: `${root}/meta/info.json`,
      advice: 'assay assess says what else is wrong with the set',
    });
  const all = Object.entries(features as Record<string, JsonObject>);
  const declared = all.filter(([, feature]) => feature.dtype === 'video').map(([key]) => key);
  const cameras = declared.filter((camera) => episodes.some((episode) => has(episode, camera)));
  const absent = declared.filter((camera) => !cameras.includes(camera));
  for (const camera of cameras) {
    const lacking = episodes.find((episode) => !has(episode, camera));
    if (lacking !== undefined) throw incomplete(lacking.id, camera);
  }
  const declaration = withCounts(all.filter(([key]) => !absent.includes(key)));
  return { rate_hz: fps, cameras, declaration, absent };
}

const counting = { dtype: 'int64', shape: [1], names: null };

/** With the columns that count, where the source leaves one out. */
function withCounts(features: readonly (readonly [string, JsonObject])[]): JsonObject {
  const counts = ['frame_index', 'episode_index', 'index', 'task_index'].map((key) => [key, counting]);
  return { ...Object.fromEntries(counts), ...Object.fromEntries(features) };
}

const has = ({ videos }: KeptEpisode, camera: string) => videos.some(({ key }) => key === camera);

function incomplete(episode: string, camera: string): AssayError {
  return new AssayError(
    'unreadable_input',
    `${episode} has no video of ${camera}, which other kept episodes have`,
    {
      advice: `leave it out with --without ${episode}`,
    },
  );
}

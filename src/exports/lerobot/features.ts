import { AssayError, type JsonObject } from '#kernel';
import type { EditedFeature, EditStep } from '../edits/export-edit.ts';
import { planFeatures } from '../edits/plan-edits.ts';
import type { KeptEpisode } from './kept-episode.ts';

/** What info.json says that a copy goes by, and what becomes of it. */
export interface SetFeatures {
  readonly rate_hz: number;
  /** Every feature of the new set. */
  readonly all: readonly EditedFeature[];
  /** Those whose frames lie in video files. */
  readonly cameras: readonly EditedFeature[];
  /** Names that the source declares. */
  readonly declared: ReadonlySet<string>;
  /** `features` of the new set's info.json. */
  readonly declaration: JsonObject;
  /** Cameras that the set declares and no kept episode has: the copy does not declare them. */
  readonly absent: readonly string[];
}

/**
 * Throws `unreadable_input` where the metadata lacks what a copy needs, or one of the episodes lacks a camera; `usage`
 * where an edit names a feature that the set lacks.
 */
export function setFeatures(
  info: JsonObject,
  root: string,
  episodes: readonly KeptEpisode[],
  edits: readonly EditStep[],
): SetFeatures {
  const { fps, features } = info;
  if (typeof fps !== 'number' || !(fps > 0) || typeof features !== 'object' || features === null)
    throw new AssayError('unreadable_input', `${root}/meta/info.json has no fps or no features`, {
      path: `${root}/meta/info.json`,
      advice: 'assay assess says what else is wrong with the set',
    });
  const declared = Object.entries(features as Record<string, JsonObject>);
  const absent = declared
    .filter(([key, feature]) => isCamera(feature) && !episodes.some((episode) => has(episode, key)))
    .map(([key]) => key);
  const all = planFeatures(edits, untouched(declared.filter(([key]) => !absent.includes(key))));
  const cameras = all.filter(({ declaration }) => isCamera(declaration));
  for (const { source } of cameras) {
    const lacking = episodes.find((episode) => !has(episode, source));
    if (lacking !== undefined) throw incomplete(lacking.id, source);
  }
  const declaration = Object.fromEntries(all.map(({ key, declaration }) => [key, declaration]));
  return {
    rate_hz: fps,
    all,
    cameras,
    declared: new Set(declared.map(([key]) => key)),
    declaration,
    absent,
  };
}

const isCamera = ({ dtype }: JsonObject) => dtype === 'video';
const counting = { dtype: 'int64', shape: [1], names: null };

/** With the columns that count, where the source leaves one out. */
function untouched(declared: readonly (readonly [string, JsonObject])[]): EditedFeature[] {
  const counts = ['frame_index', 'episode_index', 'index', 'task_index'].map(
    (key) => [key, counting] as const,
  );
  return [...new Map<string, JsonObject>([...counts, ...declared])].map(([key, declaration]) => ({
    key,
    source: key,
    declaration,
    shift: 0,
    factors: [],
  }));
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

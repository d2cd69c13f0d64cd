import { AssayError } from '#core';
import type { EpisodeCamera, EpisodeRecording } from '../annotate/episode-frames.ts';
import type { OpenLayer } from './open-layers.ts';

/** The camera that is named, else the first that a layer says something of, else the first. Throws `not_found`. */
export function filmCamera(
  { cameras, depths }: Pick<EpisodeRecording, 'cameras' | 'depths'>,
  layers: readonly OpenLayer[],
  named: string | undefined,
): EpisodeCamera {
  const all = [...cameras, ...depths];
  const said = layers.flatMap(({ open }) => open.cameras ?? [])[0];
  const wanted = named ?? said ?? all[0]?.stream.id;
  const camera = all.find(({ stream }) => stream.id === wanted);
  if (camera !== undefined) return camera;
  const has = all.map(({ stream }) => stream.id).join(', ');
  throw new AssayError(
    'not_found',
    wanted === undefined ? 'the episode has no camera' : `the episode has no camera ${wanted}`,
    { advice: has === '' ? 'leave --overlay out' : `it has ${has}` },
  );
}

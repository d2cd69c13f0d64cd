import { extname } from 'node:path';
import { AssayError, toJson } from '#core';
import type { JobLayerId, LayerId } from '#core/api';
import type { DoneRow, JudgedEpisode } from '#store';
import type { FilmRequest, PictureSources } from '../../steps/messages.ts';
import type { FilmAnswer, FilmedLayer, StoredOutput } from '../../steps/units.ts';
import { stageFile, stageFolder } from '../export/staged-folder.ts';
import { episodeItem, storedOutput } from './annotate-episodes.ts';
import type { LocalWork } from './local-work.ts';

/** Layers drawn over the pictures of an episode. */
export interface OverlayWish {
  /** `….mp4`: a film; another name: a folder of pictures. */
  readonly to: string;
  /** Id of the stream; absent: the first that a layer says something of. */
  readonly camera?: string;
}

/** What was drawn. */
export interface DrawnOverlay extends FilmAnswer {
  readonly path: string;
}

/** Pictures of a second. */
const usual_hz = 30;

const isFilm = (to: string): boolean => extname(to).toLowerCase() === '.mp4';

/** Throws `usage` unless it is one episode that is to be drawn. */
export function demandOne(episodes: readonly JudgedEpisode[]): void {
  if (episodes.length === 1) return;
  throw new AssayError('usage', `an overlay is of one episode, and there are ${episodes.length}`, {
    advice: `name one, such as --episodes ${episodes[0].name}`,
  });
}

interface Filmed {
  readonly episode: JudgedEpisode;
  readonly done: ReadonlyMap<JobLayerId, DoneRow>;
  readonly pictures: PictureSources;
}

/** Draws in a thread; the film appears whole or not at all. Throws `usage`, `output_unwritable`, and as `film`. */
export async function filmEpisode(
  { to, camera }: OverlayWish,
  { episode, done, pictures }: Filmed,
  { threads, signal, meter }: LocalWork,
): Promise<DrawnOverlay> {
  const kind = isFilm(to) ? 'mp4' : 'png';
  const outputs: Partial<Record<LayerId, StoredOutput>> = {};
  const layers: FilmedLayer[] = [];
  for (const [layer, row] of done) {
    // A review speaks of layers, not of pictures.
    if (layer === 'annotation_review') continue;
    outputs[layer] = storedOutput(row);
    layers.push({ layer, parts: row.parts });
  }
  if (layers.length === 0)
    throw new AssayError('unreadable_input', 'no layer says anything of the episode, so nothing is drawn');
  const staged = kind === 'mp4' ? stageFile(to) : stageFolder(to);
  // What most cameras give; how many there are is not known before.
  const expected = Math.ceil(episode.duration_s * (kind === 'mp4' ? usual_hz : 1));
  meter.stage('draw', { episodes: expected, bytes: 0 });
  try {
    const request: FilmRequest = {
      type: 'film',
      key: 'annotate',
      pictures,
      to: { kind, path: staged.path },
      item: toJson(episodeItem(0, episode, outputs)),
      layers: toJson<readonly FilmedLayer[]>(layers),
      ...(camera === undefined ? {} : { camera }),
    };
    const onProgress = (drawn: number) => meter.add(drawn, 0);
    const answer = await threads.do(request, { signal, onProgress });
    staged.finish();
    return { path: to, ...answer };
  } catch (thrown) {
    staged.discard();
    throw thrown;
  }
}

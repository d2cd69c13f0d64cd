import { AssayError } from '#core';
import { rowsIn, withFiles } from '#engine';
import type { RecognisedDataset } from '#formats';
import type { Film, FilmFacts, FilmRequest, PictureSpool } from '#io/media';
import { episodeRows, type Store, type TenantScope } from '#store';
import type { LocatedCamera } from '../frames/frame-service.ts';
import { frameService } from '../frames/frame-service.ts';
import { locateCamera } from '../frames/locate-camera.ts';
import { recordingsNow } from '../frames/recording-files.ts';
import { type VideoService, videoService } from './video-service.ts';

interface Wanted {
  readonly store: Store;
  readonly scope: TenantScope;
  readonly found: episodeRows.EpisodeWithReceipt;
  readonly stream_id: string;
}

/** Where the pictures of a camera lie. Throws `not_found` for a stream without any. */
export async function filmCamera(wanted: Wanted): Promise<FilmedCamera> {
  const { store, found, stream_id } = wanted;
  const located = await locateCamera(store, frameService(store), found, stream_id);
  if (located.camera.frames !== null) return { ...wanted, videos: videoService(store), located };
  throw new AssayError('not_found', `the stream ${stream_id} has no pictures`, {
    advice: 'GET …/playback lists the cameras of an episode',
  });
}

/** A camera whose film is wanted. */
export interface FilmedCamera {
  readonly store: Store;
  readonly scope: TenantScope;
  readonly videos: VideoService;
  readonly found: episodeRows.EpisodeWithReceipt;
  readonly stream_id: string;
  readonly located: LocatedCamera;
}

type Part = Pick<FilmRequest, 'from_s' | 'until_s' | 'codec' | 'longest_side_px'>;

/** Writes part of a camera from the recording where it lies. Throws as `getVideo`. */
export async function makeVideo(
  filmed: FilmedCamera,
  part: Part,
  target: string,
  scratch: string,
): Promise<Film> {
  const spool = await spooled(filmed, part, scratch);
  return withPictures(filmed, (root) =>
    filmed.videos.media.film({ ...requestOf(filmed, root), ...part, target, ...spool }),
  );
}

/** What can be told of the whole of it without making it. Throws as `getVideo`. */
export function factsOf(filmed: FilmedCamera): Promise<FilmFacts> {
  const whole = { from_s: 0, until_s: null, codec: 'recorded', longest_side_px: 1, target: '' } as const;
  return withPictures(filmed, (root) =>
    filmed.videos.media.filmFacts({ ...requestOf(filmed, root), ...whole }),
  );
}

function requestOf({ located: { camera } }: FilmedCamera, root: string) {
  const { frames, declared_rate_hz, time_s } = camera;
  return { root, frames: frames!, declared_rate_hz, stamps_s: time_s };
}

/** Runs `work` while the files that a decoder opens by name are there; of pictures inside a recording there are none. */
async function withPictures<Answer>(
  { store, scope, found: { episode }, located: { camera, bytes_of } }: FilmedCamera,
  work: (root: string) => Promise<Answer>,
): Promise<Answer> {
  const { locator } = camera.frames!;
  if (locator.type === 'missing')
    throw new AssayError('not_found', `the recording has no pictures of it: ${locator.reason}`);
  if (locator.type === 'embedded') return work('/');
  const paths = locator.type === 'video' ? [locator.path] : locator.paths;
  const files = paths.map((path) => ({ path, bytes: bytes_of.get(path) }));
  const recordings = await recordingsNow(store, scope, episode.source_id);
  return withFiles(recordings, { dataset_path: episode.dataset_path, files }, work);
}

/** Pictures that lie inside a recording are read out of it first. */
async function spooled(
  filmed: FilmedCamera,
  { from_s, until_s }: Part,
  path: string,
): Promise<{ readonly spool?: PictureSpool }> {
  const { store, scope, found, videos, located } = filmed;
  const { camera, bytes_of } = located;
  const locator = camera.frames?.locator;
  if (locator?.type !== 'embedded') return {};
  const { episode } = found;
  const recognised = await episodeRows.getRecognised(scope, episode);
  if (recognised === null)
    throw new AssayError('not_found', 'the run that judged the episode is not known any more');
  const time_s = camera.time_s ?? evenly(camera.sample_count, camera.declared_rate_hz ?? 1);
  const rows = rowsIn(time_s, from_s, until_s);
  if (rows === null) throw new AssayError('media_failed', 'no picture of the camera lies there');
  const recordings = await recordingsNow(store, scope, episode.source_id);
  const files = [{ path: locator.path, bytes: bytes_of.get(locator.path) }];
  const wanted = {
    locator,
    episode_index: episode.index,
    start_ns: episode.start_ns,
    ...{ rows: camera.sample_count, log_s: camera.log_s },
  };
  const pictures = await withFiles(recordings, { dataset_path: episode.dataset_path, files }, () =>
    videos.readers.do({
      type: 'spool',
      recordings,
      recognised: recognised as RecognisedDataset,
      wanted,
      rows,
      time_s,
      target: path,
    }),
  );
  return { spool: { path, pictures } };
}

const evenly = (count: number, rate_hz: number): Float64Array =>
  Float64Array.from({ length: count }, (_, row) => row / rate_hz);

import { AssayError, limits } from '#core';
import {
  busyError,
  type CachedFilm,
  FilmCache,
  findRowRange,
  ReaderThreads,
  type RenderFilm,
  withFiles,
} from '#engine';
import type { RecognisedDataset } from '#formats';
import {
  createMediaService,
  type Film,
  type FilmFacts,
  type FilmRequest,
  type MediaService,
  type PictureSpool,
} from '#io/media';
import { episodeRows, type Store, type TenantScope } from '#store';
import { frameService, type LocatedCamera, locateCamera, locateRecordings } from './frame-service.ts';

interface CameraPath {
  readonly store: Store;
  readonly scope: TenantScope;
  readonly found: episodeRows.EpisodeWithReceipt;
  readonly stream_id: string;
}

/**
 * Returns a camera with the locations of its frames and the recordings of its episode, for video encoding. Throws `not_found`
 * for a stream without frames.
 */
export async function openVideoSource(cameraPath: CameraPath): Promise<VideoSource> {
  const { store, found, stream_id } = cameraPath;
  const located = await locateCamera(store, frameService(store), found, stream_id);
  if (located.camera.frames !== null) return { ...cameraPath, videos: videoService(store), located };
  throw new AssayError('not_found', `the stream ${stream_id} has no frames`, {
    advice: 'list the cameras with GET …/playback',
  });
}

/** A camera whose frames are encoded as video. */
export interface VideoSource {
  readonly store: Store;
  readonly scope: TenantScope;
  readonly videos: VideoService;
  readonly found: episodeRows.EpisodeWithReceipt;
  readonly stream_id: string;
  readonly located: LocatedCamera;
}

type VideoPart = Pick<FilmRequest, 'from_s' | 'until_s' | 'codec' | 'longest_side_px'>;

/** Encodes part of a camera's frames as a video file at `target`. Throws as `getVideo`. */
export async function encodeVideo(
  filmed: VideoSource,
  part: VideoPart,
  target: string,
  scratch: string,
): Promise<Film> {
  const spool = await spoolEmbedded(filmed, part, scratch);
  return withImageFiles(filmed, (root) =>
    filmed.videos.media.film({ ...toFilmRequest(filmed, root), ...part, target, ...spool }),
  );
}

/** Returns codec, size, rate and times of the whole video without encoding it. Throws as `getVideo`. */
export function readVideoFacts(filmed: VideoSource): Promise<FilmFacts> {
  const whole = { from_s: 0, until_s: null, codec: 'recorded', longest_side_px: 1, target: '' } as const;
  return withImageFiles(filmed, (root) =>
    filmed.videos.media.filmFacts({ ...toFilmRequest(filmed, root), ...whole }),
  );
}

function toFilmRequest({ located: { camera } }: VideoSource, root: string) {
  const { frames, declared_rate_hz, time_s } = camera;
  return { root, frames: frames!, declared_rate_hz, stamps_s: time_s };
}

/**
 * Runs `work` with the root folder of the files that a decoder opens by name, and returns its result; the folder is `/` for
 * images embedded in a recording, which need no such files. Throws `not_found` if the recording has no frames or can no longer
 * be opened.
 */
async function withImageFiles<Answer>(
  { store, scope, found: { episode }, located: { camera, file_bytes } }: VideoSource,
  work: (root: string) => Promise<Answer>,
): Promise<Answer> {
  const { locator } = camera.frames!;
  if (locator.type === 'missing')
    throw new AssayError('not_found', `the recording has no frames for this stream: ${locator.reason}`);
  if (locator.type === 'embedded') return work('/');
  const paths = locator.type === 'video' ? [locator.path] : locator.paths;
  const files = paths.map((path) => ({ path, bytes: file_bytes.get(path) }));
  const recordings = await locateRecordings(store, scope, episode.source_id);
  return withFiles(recordings, { dataset_path: episode.dataset_path, files }, work);
}

/**
 * Writes images that are embedded in a recording into a spool file at `path` and returns it; returns no spool file for other
 * recordings. Throws `not_found`, `media_failed` if the time range has no frames.
 */
async function spoolEmbedded(
  filmed: VideoSource,
  { from_s, until_s }: VideoPart,
  path: string,
): Promise<{ readonly spool?: PictureSpool }> {
  const { store, scope, found, videos, located } = filmed;
  const { camera, file_bytes } = located;
  const locator = camera.frames?.locator;
  if (locator?.type !== 'embedded') return {};
  const { episode } = found;
  const recognised = await episodeRows.getRecognised(scope, episode);
  if (recognised === null)
    throw new AssayError('not_found', 'the run that evaluated the episode no longer exists');
  const time_s = camera.time_s ?? evenTimestamps(camera.sample_count, camera.declared_rate_hz ?? 1);
  const rows = findRowRange(time_s, from_s, until_s);
  if (rows === null) throw new AssayError('media_failed', 'the camera has no frames in this time range');
  const recordings = await locateRecordings(store, scope, episode.source_id);
  const files = [{ path: locator.path, bytes: file_bytes.get(locator.path) }];
  const spoolRequest = {
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
      wanted: spoolRequest,
      rows,
      time_s,
      target: path,
    }),
  );
  return { spool: { path, pictures } };
}

const evenTimestamps = (count: number, rate_hz: number): Float64Array =>
  Float64Array.from({ length: count }, (_, row) => row / rate_hz);

const videoReaderLimits = {
  threads: 2,
  maxWaiting: limits.requests.films_waiting.value,
  time_limit_ms: limits.requests.film_read_ms.value,
};
const videoMediaLimits = { children: 2, cpu_limit_s: 60, idle_limit_s: 60, silent_limit_s: 60 };
const maxPending = limits.requests.films_waiting.value;

/** Encodes and caches videos of cameras for the requests of this process. */
class VideoService {
  readonly readers = new ReaderThreads(videoReaderLimits);
  readonly media: MediaService = createMediaService(videoMediaLimits);
  readonly #films: FilmCache;
  readonly #pending = new Map<string, Promise<CachedFilm>>();

  constructor(data_folder: string) {
    this.#films = new FilmCache(data_folder);
  }

  /**
   * Returns the video of a key from the cache, from an encoding in progress, or encoded by `make`. Throws `busy` if
   * too many are in progress.
   */
  film(key: string, make: RenderFilm): Promise<CachedFilm> {
    const pendingFilm = this.#pending.get(key);
    if (pendingFilm !== undefined) return pendingFilm;
    if (this.#pending.size >= maxPending) throw busyError();
    const encoding = this.#films.film(key, make).finally(() => this.#pending.delete(key));
    this.#pending.set(key, encoding);
    return encoding;
  }

  async close(): Promise<void> {
    await Promise.all([this.readers.close(), this.media.close()]);
    await this.#films.close();
  }
}

const videoServices = new WeakMap<object, VideoService>();

/** Returns the video service of an open store; it is created on first use. */
function videoService({ database, data_folder }: Pick<Store, 'database' | 'data_folder'>): VideoService {
  const videos = videoServices.get(database) ?? new VideoService(data_folder);
  videoServices.set(database, videos);
  return videos;
}

/** Stops the threads and decoders of a store's video service. Call it before the store is closed. */
export async function closeVideoService({ database }: Pick<Store, 'database'>): Promise<void> {
  const videos = videoServices.get(database);
  videoServices.delete(database);
  await videos?.close();
}

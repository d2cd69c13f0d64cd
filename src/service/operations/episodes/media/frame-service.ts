import { AssayError, limits } from '#core';
import {
  busyError,
  type CameraInfo,
  type ReaderLimits,
  ReaderThreads,
  recordingNotFound,
  resolveRecordings,
} from '#engine';
import {
  createMediaService,
  decodeSamples,
  type FramesRequest,
  type MediaService,
  type Picture,
} from '#io/media';
import type { RecordingsRef } from '#io/sources';
import { type episodeRows, type Store, sourceRows, type TenantScope } from '#store';
import { LruCache } from '../../caches.ts';
import { readReceipt, withShard } from '../load-episode.ts';

const readerLimits: ReaderLimits = {
  threads: 2,
  maxWaiting: limits.requests.frame_readers_waiting.value,
  time_limit_ms: limits.requests.frame_read_ms.value,
};
const mediaLimits = { children: 2, cpu_limit_s: 20, idle_limit_s: 60, silent_limit_s: 60 };
/** Frames that are being decoded or wait for it. */
const maxDecodes = limits.requests.frames_decoded.value;
const maxImageCache_bytes = 64 * 1024 * 1024;
const maxCameraCache_bytes = 32 * 1024 * 1024;

/** An encoded image to send. */
export interface RenderedImage {
  readonly bytes: Uint8Array;
  /** Time of its frame in seconds since the start of the episode. */
  readonly time_s: number;
}

/** Reads stream data and decodes frames for the requests of this process, with caches. */
export class FrameService {
  readonly readers = new ReaderThreads(readerLimits);
  readonly cameras = new LruCache<LocatedCamera>(maxCameraCache_bytes, estimateCameraBytes);
  readonly #media: MediaService = createMediaService(mediaLimits);
  readonly #images = new LruCache<RenderedImage>(maxImageCache_bytes, ({ bytes }) => bytes.length + 200);
  readonly #pending = new Map<string, Promise<RenderedImage>>();

  /**
   * Returns the image of a key from the cache, from a render in progress, or rendered by `make`. Throws `busy` if too
   * many are in progress.
   */
  async image(key: string, make: () => Promise<RenderedImage>): Promise<RenderedImage> {
    const existingImage = this.#images.get(key) ?? this.#pending.get(key);
    if (existingImage !== undefined) return existingImage;
    if (this.#pending.size >= maxDecodes) throw busyError();
    const rendering = make();
    this.#pending.set(key, rendering);
    try {
      const picture = await rendering;
      this.#images.put(key, picture);
      return picture;
    } finally {
      this.#pending.delete(key);
    }
  }

  /** Decodes the frame shown at a time in a media child process. Throws `media_failed` with the decoder's reason. */
  async decode(request: Omit<FramesRequest, 'pick' | 'times_s'>, time_s: number): Promise<Picture> {
    const [picture] = await this.#media.framesAt({ ...request, times_s: [time_s], pick: 'shown' });
    if (picture.jpeg !== null) return picture;
    throw new AssayError('media_failed', `the frame cannot be shown: ${picture.reason}`, {
      advice: 'check the flags and findings of the episode; the file may be corrupt',
    });
  }

  /** Decodes the samples of a 16-bit PNG. Throws as `decodeSamples`. */
  samples(png: Uint8Array): Promise<Uint16Array> {
    return decodeSamples(this.#media, png);
  }

  async close(): Promise<void> {
    await Promise.all([this.readers.close(), this.#media.close()]);
  }
}

function estimateCameraBytes({ camera, file_bytes }: LocatedCamera): number {
  const { frames, time_s, log_s } = camera;
  const paths = frames?.locator.type === 'image-files' ? frames.locator.paths.length : 0;
  return 1000 + (time_s?.byteLength ?? 0) + (log_s?.byteLength ?? 0) + 100 * (paths + file_bytes.size);
}

const frameServices = new WeakMap<object, FrameService>();

/** Returns the frame service of an open store; it is created on first use. */
export function frameService({ database }: Pick<Store, 'database'>): FrameService {
  const frames = frameServices.get(database) ?? new FrameService();
  frameServices.set(database, frames);
  return frames;
}

/** Stops the threads and decoders of a store's frame service. Call it before the store is closed. */
export async function closeFrameService({ database }: Pick<Store, 'database'>): Promise<void> {
  const frames = frameServices.get(database);
  frameServices.delete(database);
  await frames?.close();
}

/** A camera of an episode with the locations of its frames, as of the receipt. */
export interface LocatedCamera {
  readonly camera: CameraInfo;
  /** File sizes in bytes from the receipt, by path within the dataset. */
  readonly file_bytes: ReadonlyMap<string, number>;
}

/** Returns a camera of an episode with the locations and times of its frames; cached per receipt. Throws `not_found`. */
export async function locateCamera(
  store: Store,
  frames: FrameService,
  { episode, receipt }: episodeRows.EpisodeWithReceipt,
  stream_id: string,
): Promise<LocatedCamera> {
  const key = `${receipt.tenant_id} ${receipt.id} ${stream_id}`;
  const cached = frames.cameras.get(key);
  if (cached !== undefined) return cached;
  const camera = await withShard(store, episode, (shard) =>
    frames.readers.do({ type: 'camera', shard, stream_id }),
  );
  const { sources } = await readReceipt(store, receipt);
  const located = { camera, file_bytes: new Map(sources.map(({ path, bytes }) => [path, bytes])) };
  frames.cameras.put(key, located);
  return located;
}

/** Returns the recordings of an episode, to be opened now. Throws `not_found` if they no longer can. */
export async function locateRecordings(
  store: Store,
  scope: TenantScope,
  source_id: string,
): Promise<RecordingsRef> {
  const source = await sourceRows.getSource(scope, source_id);
  if (source === null) throw recordingNotFound('the source was removed');
  return resolveRecordings(store, source).catch((thrown: unknown) => {
    // An invalid path is reported as a missing recording, because the caller did not send a path.
    if (thrown instanceof AssayError && thrown.code === 'invalid_request')
      throw recordingNotFound(thrown.message);
    throw thrown;
  });
}

import { AssayError, limits } from '#core';
import { type Camera, type ReaderLimits, ReaderThreads, tooBusy } from '#engine';
import {
  createMediaService,
  decodeSamples,
  type FramesRequest,
  type MediaService,
  type Picture,
} from '#io/media';
import type { Store } from '#store';
import { RecentlyUsed } from '../../recently-used.ts';

const readerLimits: ReaderLimits = {
  threads: 2,
  waiting: limits.requests.frame_readers_waiting.value,
  time_limit_ms: limits.requests.frame_read_ms.value,
};
const mediaLimits = { children: 2, cpu_limit_s: 20, idle_limit_s: 60, silent_limit_s: 60 };
/** Pictures being decoded or waiting for it. */
const mostPictures = limits.requests.frames_decoded.value;
const pictureCache_bytes = 64 * 1024 * 1024;
const cameraCache_bytes = 32 * 1024 * 1024;

/** A picture to be sent. */
export interface Shown {
  readonly bytes: Uint8Array;
  /** When its frame was taken, since the start of the episode. */
  readonly time_s: number;
}

/** What reads numbers and decodes pictures for the requests of one process, and what it remembers of them. */
export class FrameService {
  readonly readers = new ReaderThreads(readerLimits);
  readonly cameras = new RecentlyUsed<LocatedCamera>(cameraCache_bytes, weightOf);
  readonly #media: MediaService = createMediaService(mediaLimits);
  readonly #pictures = new RecentlyUsed<Shown>(pictureCache_bytes, ({ bytes }) => bytes.length + 200);
  readonly #underWay = new Map<string, Promise<Shown>>();

  /** A picture that was made before, is being made, or is made now by `make`. Throws `busy`. */
  async picture(key: string, make: () => Promise<Shown>): Promise<Shown> {
    const known = this.#pictures.get(key) ?? this.#underWay.get(key);
    if (known !== undefined) return known;
    if (this.#underWay.size >= mostPictures) throw tooBusy();
    const making = make();
    this.#underWay.set(key, making);
    try {
      const picture = await making;
      this.#pictures.put(key, picture);
      return picture;
    } finally {
      this.#underWay.delete(key);
    }
  }

  /** Decodes one frame in a media child. Throws `media_failed` with the decoder's reason. */
  async decode(request: Omit<FramesRequest, 'pick' | 'times_s'>, time_s: number): Promise<Picture> {
    const [picture] = await this.#media.framesAt({ ...request, times_s: [time_s], pick: 'shown' });
    if (picture.jpeg !== null) return picture;
    throw new AssayError('media_failed', `the frame cannot be shown: ${picture.reason}`, {
      advice: 'look at the flags and findings of the episode; the file may be damaged',
    });
  }

  /** Samples of a PNG of 16 bits a pixel. Throws as `decodeSamples`. */
  samples(png: Uint8Array): Promise<Uint16Array> {
    return decodeSamples(this.#media, png);
  }

  async close(): Promise<void> {
    await Promise.all([this.readers.close(), this.#media.close()]);
  }
}

function weightOf({ camera, bytes_of }: LocatedCamera): number {
  const { frames, time_s, log_s } = camera;
  const paths = frames?.locator.type === 'image-files' ? frames.locator.paths.length : 0;
  return 1000 + (time_s?.byteLength ?? 0) + (log_s?.byteLength ?? 0) + 100 * (paths + bytes_of.size);
}

const services = new WeakMap<object, FrameService>();

/** The frames of an open store, made when first asked for. */
export function frameService({ database }: Pick<Store, 'database'>): FrameService {
  const frames = services.get(database) ?? new FrameService();
  services.set(database, frames);
  return frames;
}

/** Ends threads and decoders that requests on this store have started; to be called before it is closed. */
export async function closeFrameService({ database }: Pick<Store, 'database'>): Promise<void> {
  const frames = services.get(database);
  services.delete(database);
  await frames?.close();
}

/** A camera of an episode as it was when the episode was judged. */
export interface LocatedCamera {
  readonly camera: Camera;
  /** Sizes of the files that the receipt names, by their path in the dataset. */
  readonly bytes_of: ReadonlyMap<string, number>;
}

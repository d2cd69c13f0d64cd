import { limits } from '#core';
import { FilmCache, type KeptFilm, type MakeFilm, ReaderThreads, tooBusy } from '#engine';
import { createMediaService, type MediaService } from '#io/media';
import type { Store } from '#store';

const readerLimits = {
  threads: 2,
  waiting: limits.requests.films_waiting.value,
  time_limit_ms: limits.requests.film_read_ms.value,
};
const mediaLimits = { children: 2, cpu_limit_s: 60, idle_limit_s: 60, silent_limit_s: 60 };
const most = limits.requests.films_waiting.value;

/** What makes films of cameras for the requests of one process. */
export class VideoService {
  readonly readers = new ReaderThreads(readerLimits);
  readonly media: MediaService = createMediaService(mediaLimits);
  readonly #films: FilmCache;
  readonly #underWay = new Map<string, Promise<KeptFilm>>();

  constructor(data_folder: string) {
    this.#films = new FilmCache(data_folder);
  }

  /** A film that was made before, is being made, or is made now by `make`. Throws `busy`. */
  film(key: string, make: MakeFilm): Promise<KeptFilm> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    if (this.#underWay.size >= most) throw tooBusy();
    const making = this.#films.film(key, make).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, making);
    return making;
  }

  async close(): Promise<void> {
    await Promise.all([this.readers.close(), this.media.close()]);
    await this.#films.close();
  }
}

const services = new WeakMap<object, VideoService>();

/** The films of an open store, made when first asked for. */
export function videoService({
  database,
  data_folder,
}: Pick<Store, 'database' | 'data_folder'>): VideoService {
  const videos = services.get(database) ?? new VideoService(data_folder);
  services.set(database, videos);
  return videos;
}

/** Ends what requests for films have started; to be called before the store is closed. */
export async function closeVideoService({ database }: Pick<Store, 'database'>): Promise<void> {
  const videos = services.get(database);
  services.delete(database);
  await videos?.close();
}

import { createReadStream } from 'node:fs';
import { appendFile, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AssayError, limits } from '#core';
import type { Film } from '#io/media';
import { clearCache, ObjectCache, stagingName } from '#io/sources';

/**
 * Renders a film to `target`, which must be complete when the promise resolves. `scratch` is a path for a temporary
 * file.
 */
export type RenderFilm = (target: string, scratch: string) => Promise<Film>;

/** A film (MP4 video) in the cache. */
export interface CachedFilm extends Film {
  readonly bytes: number;
  /** Opens the bytes from `from` (inclusive) to `until` (exclusive). */
  open(from: number, until: number): Readable;
}

/** Read-ahead of a stream. */
const readChunk_bytes = 256 * 1024;

/**
 * Cache of films in a data folder. Each key is rendered once, even if several processes request it; the least
 * recently used films are removed when the cache is full. Unfinished files of killed processes are removed at the
 * next start.
 */
export class FilmCache {
  readonly #cache: ObjectCache;
  readonly #folder: string;
  #mirror: Promise<string> | null = null;

  constructor(data_folder: string) {
    this.#folder = join(data_folder, 'films');
    clearCache(this.#folder);
    this.#cache = new ObjectCache(this.#folder, limits.storage.film_cache_bytes.value);
  }

  /** Returns the film for `key`, rendered with `make` and saved if it is not cached. Throws what `make` throws. */
  async film(key: string, make: RenderFilm): Promise<CachedFilm> {
    const path = await this.#link(key, make);
    try {
      const { size } = await stat(path);
      const film = await readMetadata(path, size);
      return {
        ...film,
        bytes: size,
        open: (from, until) => Readable.from(this.#read(key, make, from, until), { objectMode: false }),
      };
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Deletes the links of this process to cached films; the films stay cached. */
  async close(): Promise<void> {
    if (this.#mirror !== null) await rm(await this.#mirror, { recursive: true, force: true });
  }

  /** Reads a range; renders the film again if it was evicted meanwhile. */
  async *#read(key: string, make: RenderFilm, from: number, until: number): AsyncGenerator<Uint8Array> {
    const path = await this.#link(key, make);
    try {
      yield* createReadStream(path, { start: from, end: until - 1, highWaterMark: readChunk_bytes });
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Creates a separate link to the film, so that it stays while it is read. */
  async #link(key: string, make: RenderFilm): Promise<string> {
    this.#mirror ??= this.#cache.openMirror();
    const path = join(await this.#mirror, stagingName());
    const version = { store: 'films', path: key, etag: '', bytes: 0 };
    await this.#cache.linkAt(version, path, async (_, target) => {
      const scratch = join(this.#folder, 'arriving', stagingName());
      try {
        await appendMetadata(target, await make(target, scratch));
      } finally {
        await rm(scratch, { force: true });
      }
    });
    return path;
  }
}

const header_bytes = 8;
const metadata_bytes = 512;

/** Appends the film's metadata in a box that players skip (`free`, ISO/IEC 14496-12, 8.1.2). */
async function appendMetadata(path: string, film: Film): Promise<void> {
  const box = Buffer.alloc(header_bytes + metadata_bytes, ' ');
  box.writeUInt32BE(box.length, 0);
  box.write('free', 4, 'latin1');
  const text = JSON.stringify(film);
  if (Buffer.byteLength(text) > metadata_bytes)
    throw new AssayError('internal', 'a video has too many properties');
  box.write(text, header_bytes);
  await appendFile(path, box);
}

async function readMetadata(path: string, bytes: number): Promise<Film> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(
      Buffer.alloc(metadata_bytes),
      0,
      metadata_bytes,
      bytes - metadata_bytes,
    );
    return JSON.parse(buffer.toString()) as Film;
  } finally {
    await file.close();
  }
}

/**
 * Returns the indices of the first and last row of a stream within [from_s, until_s), or null if there is none. `until_s`
 * null: no end. Timestamps may run backwards.
 */
export function findRowRange(
  time_s: Float64Array,
  from_s: number,
  until_s: number | null,
): readonly [first: number, last: number] | null {
  const lies = (time: number) => time >= from_s && (until_s === null || time < until_s);
  const first = time_s.findIndex(lies);
  return first < 0 ? null : [first, time_s.findLastIndex(lies)];
}

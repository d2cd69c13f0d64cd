import { createReadStream } from 'node:fs';
import { appendFile, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AssayError, limits } from '#core';
import type { Film } from '#io/media';
import { clearCache, ObjectCache, stagingName } from '#io/sources';

/** Makes the film at a path, which is to be whole once this resolves; `scratch` is a file for what that takes. */
export type MakeFilm = (target: string, scratch: string) => Promise<Film>;

/** A film that was made, now or before. */
export interface KeptFilm extends Film {
  readonly bytes: number;
  /** From the first byte up to the second, which is not among them. */
  open(from: number, until: number): Readable;
}

/** How far a read goes ahead of who reads. */
const piece_bytes = 256 * 1024;

/**
 * Films of a data folder, by what they are made of: each made once, whoever asks, in whatever process. Those not used for
 * longest go when there are too many. What a killed process was making is taken away at the next start.
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

  /** Throws what `make` throws. */
  async film(key: string, make: MakeFilm): Promise<KeptFilm> {
    const path = await this.#link(key, make);
    try {
      const { size } = await stat(path);
      const film = await readFacts(path, size);
      return {
        ...film,
        bytes: size,
        open: (from, until) => Readable.from(this.#read(key, make, from, until), { objectMode: false }),
      };
    } finally {
      await rm(path, { force: true });
    }
  }

  async close(): Promise<void> {
    if (this.#mirror !== null) await rm(await this.#mirror, { recursive: true, force: true });
  }

  /** Made again where it had to go meanwhile. */
  async *#read(key: string, make: MakeFilm, from: number, until: number): AsyncGenerator<Uint8Array> {
    const path = await this.#link(key, make);
    try {
      yield* createReadStream(path, { start: from, end: until - 1, highWaterMark: piece_bytes });
    } finally {
      await rm(path, { force: true });
    }
  }

  /** A link of one's own, so that the film stays while it is read. */
  async #link(key: string, make: MakeFilm): Promise<string> {
    this.#mirror ??= this.#cache.openMirror();
    const path = join(await this.#mirror, stagingName());
    const version = { store: 'films', path: key, etag: '', bytes: 0 };
    await this.#cache.linkAt(version, path, async (_, target) => {
      const scratch = join(this.#folder, 'arriving', stagingName());
      try {
        await addFacts(target, await make(target, scratch));
      } finally {
        await rm(scratch, { force: true });
      }
    });
    return path;
  }
}

const header_bytes = 8;
const text_bytes = 512;

/** Writes what is known of a film behind it, in a box that players pass over (`free`, ISO/IEC 14496-12, 8.1.2). */
async function addFacts(path: string, film: Film): Promise<void> {
  const box = Buffer.alloc(header_bytes + text_bytes, ' ');
  box.writeUInt32BE(box.length, 0);
  box.write('free', 4, 'latin1');
  const text = JSON.stringify(film);
  if (Buffer.byteLength(text) > text_bytes) throw new AssayError('internal', 'a film has too many facts');
  box.write(text, header_bytes);
  await appendFile(path, box);
}

async function readFacts(path: string, bytes: number): Promise<Film> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(text_bytes), 0, text_bytes, bytes - text_bytes);
    return JSON.parse(buffer.toString()) as Film;
  } finally {
    await file.close();
  }
}

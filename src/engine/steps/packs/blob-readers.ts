import type { Blobs } from '#store';
import { readShard, type ShardedEpisode } from '#store/blobs';

/** Maximum number of episodes to skip by reading on instead of seeking. */
const maxSkip_episodes = 64;

interface OpenShard {
  readonly key: string;
  readonly file: Awaited<ReturnType<Blobs['file']>>;
  readonly episodes: AsyncGenerator<ShardedEpisode>;
  /** Place of the last episode that this read returns. */
  readonly last: number;
  /** Place of the next episode. */
  next: number;
}

/** Reads episodes' numbers from shards; fast if episodes are requested in storage order. */
export class ShardCursor implements AsyncDisposable {
  readonly #blobs: Blobs;
  #open: OpenShard | null = null;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /**
   * Returns the episode with the index `place` in a shard, or null if there is none. `last` is the last place that will be
   * requested, to limit reading ahead. Throws `storage_unavailable`.
   */
  async read(key: string, place: number, last = Number.MAX_SAFE_INTEGER): Promise<ShardedEpisode | null> {
    try {
      const shard = await this.#openAt(key, place, Math.max(place, last));
      for (; ; shard.next++) {
        const { value, done } = await shard.episodes.next();
        if (done === true) return null;
        if (shard.next < place) continue;
        shard.next++;
        return value;
      }
    } catch (thrown) {
      // A failed generator is finished; the next call opens the shard again.
      await this[Symbol.asyncDispose]().catch(() => {});
      throw thrown;
    }
  }

  async #openAt(key: string, place: number, last: number): Promise<OpenShard> {
    const open = this.#open;
    const isNear = open !== null && open.next <= place && place - open.next <= maxSkip_episodes;
    if (open?.key === key && isNear && place <= open.last) return open;
    const file = open?.key === key ? open.file : await this.#blobs.file(key);
    await open?.episodes.return(undefined);
    if (open !== null && open.key !== key) await open.file.done();
    const episodes = readShard(file.path, place, last);
    this.#open = { key, file, episodes, last, next: place };
    return this.#open;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open?.episodes.return(undefined);
    await this.#open?.file.done();
    this.#open = null;
  }
}

const window_bytes = 512 * 1024;

/** Reads ranges of blobs through a read-ahead window; fast if ranges are requested in storage order. */
export class BlobWindow {
  readonly #blobs: Blobs;
  #key = '';
  #from = 0;
  #block: Uint8Array = new Uint8Array(0);

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** Returns `length` bytes at `offset` of a blob. */
  async read(key: string, offset: number, length: number): Promise<Uint8Array> {
    const at = offset - this.#from;
    if (key === this.#key && at >= 0 && at + length <= this.#block.length)
      return this.#block.subarray(at, at + length);
    const block = await this.#blobs.range(key, offset, Math.max(length, window_bytes));
    this.#key = key;
    this.#from = offset;
    this.#block = block;
    return block.subarray(0, length);
  }
}

import type { Blobs } from '#store';
import { readShard, type ShardedEpisode } from '#store/blobs';

/** Episodes that are passed over rather than looked up anew. */
const strideEpisodes = 64;

interface OpenShard {
  readonly key: string;
  readonly file: Awaited<ReturnType<Blobs['file']>>;
  readonly episodes: AsyncGenerator<ShardedEpisode>;
  /** Place of the last episode that it gives. */
  readonly last: number;
  /** Place of the episode that it gives next. */
  next: number;
}

/** Numbers of episodes out of shards; fast where they are asked for in the order in which they lie there. */
export class ShardWalk implements AsyncDisposable {
  readonly #blobs: Blobs;
  #open: OpenShard | null = null;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /**
   * The episode at `place` of a shard; null where it holds none there. `last`: beyond that place none will be
   * asked for, so that nothing is read for nothing. Throws `storage_unavailable`.
   */
  async at(key: string, place: number, last = Number.MAX_SAFE_INTEGER): Promise<ShardedEpisode | null> {
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
      // What has failed gives nothing more; the next look opens it anew.
      await this[Symbol.asyncDispose]().catch(() => {});
      throw thrown;
    }
  }

  async #openAt(key: string, place: number, last: number): Promise<OpenShard> {
    const open = this.#open;
    const isNear = open !== null && open.next <= place && place - open.next <= strideEpisodes;
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

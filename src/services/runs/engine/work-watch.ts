import { AssayError } from '#kernel';

/** Between looks at whether work is still wanted: a cancellation is heard within two of these. */
const look_ms = 400;

/** A piece of work that this process has taken, as long as it lasts. */
export interface Lease {
  /** Aborted when it is not wanted any more, or went elsewhere. */
  readonly signal: AbortSignal;
  /** Episodes and bytes that are done and not committed yet. */
  readonly underWay: { episodes: number; bytes: number };
  release(): void;
}

/** What is watched, and how. */
export interface WatchOptions<Ref> {
  /** Names a piece of work, and the attempt at it. */
  readonly keyOf: (ref: Ref) => string;
  /** Keys of those that want no more of it. */
  readonly gone: (refs: readonly Ref[]) => Promise<ReadonlySet<string>>;
  /** Hears of work of which more is under way than when it last heard. */
  readonly onProgress: (ref: Ref) => Promise<void>;
}

interface Watched<Ref> {
  readonly ref: Ref;
  readonly leases: Set<Lease & { readonly abort: AbortController }>;
  told: number;
}

/** Looks after the work that this process has taken, and only while there is any. */
export class WorkWatch<Ref> {
  readonly #options: WatchOptions<Ref>;
  readonly #all = new Map<string, Watched<Ref>>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(options: WatchOptions<Ref>) {
    this.#options = options;
  }

  lease(ref: Ref): Lease {
    const key = this.#options.keyOf(ref);
    const watched = this.#all.get(key) ?? { ref, leases: new Set(), told: 0 };
    this.#all.set(key, watched);
    const abort = new AbortController();
    const lease = {
      abort,
      signal: abort.signal,
      underWay: { episodes: 0, bytes: 0 },
      release: () => {
        watched.leases.delete(lease);
        if (watched.leases.size === 0) this.#all.delete(key);
      },
    };
    watched.leases.add(lease);
    this.#timer ??= setInterval(() => void this.#look(), look_ms).unref();
    return lease;
  }

  /** What this process has under way of it. */
  underWay(ref: Ref): { episodes: number; bytes: number } {
    const sum = { episodes: 0, bytes: 0 };
    for (const { underWay } of this.#all.get(this.#options.keyOf(ref))?.leases ?? []) {
      sum.episodes += underWay.episodes;
      sum.bytes += underWay.bytes;
    }
    return sum;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#all.size === 0) return this.close();
    if (this.#looking) return;
    this.#looking = true;
    try {
      const gone = await this.#options.gone([...this.#all.values()].map(({ ref }) => ref));
      for (const [key, watched] of this.#all) {
        if (gone.has(key)) for (const { abort } of watched.leases) abort.abort(taken());
        else await this.#tell(watched);
      }
    } catch {
      // A database that does not answer is waited for by whoever commits.
    } finally {
      this.#looking = false;
    }
  }

  async #tell(watched: Watched<Ref>): Promise<void> {
    const underWay = this.underWay(watched.ref);
    const told = underWay.episodes + underWay.bytes;
    if (told === watched.told) return;
    watched.told = told;
    if (told > 0) await this.#options.onProgress(watched.ref);
  }
}

const taken = (): AssayError => new AssayError('cancelled', 'the work is not wanted any more');

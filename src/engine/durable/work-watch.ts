import { AssayError } from '#core';
import type { Engine, Watchable as Kind, Lease, WorkRef as Ref, Watch } from './engine.ts';

/** Between looks at whether work is still wanted: a cancellation is heard within two of these. */
const look_ms = 400;

interface Watched<R extends Ref> {
  readonly ref: R;
  readonly leases: Set<Lease & { readonly abort: AbortController }>;
  told: number;
}

/** Looks after the work that this process has taken, and only while there is any. */
export class WorkWatch implements Watch {
  readonly #engine: () => Engine;
  readonly #kinds = new Map<string, KindWatch<never>>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(engine: () => Engine) {
    this.#engine = engine;
  }

  lease<R extends Ref>(kind: Kind<R>, ref: R): Lease {
    this.#timer ??= setInterval(() => void this.#look(), look_ms).unref();
    return this.#of(kind).lease(ref);
  }

  underWay(noun: Kind<never>['noun'], key: string): { episodes: number; bytes: number } {
    return this.#kinds.get(noun)?.underWay(key) ?? { episodes: 0, bytes: 0 };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #of<R extends Ref>(kind: Kind<R>): KindWatch<R> {
    const known = this.#kinds.get(kind.noun) ?? (new KindWatch(kind) as KindWatch<never>);
    this.#kinds.set(kind.noun, known);
    return known as unknown as KindWatch<R>;
  }

  async #look(): Promise<void> {
    const busy = [...this.#kinds.values()].filter(({ idle }) => !idle);
    if (busy.length === 0) return this.close();
    if (this.#looking) return;
    this.#looking = true;
    // A database that does not answer is waited for by whoever commits.
    for (const watch of busy) await watch.look(this.#engine()).catch(() => {});
    this.#looking = false;
  }
}

/** Work of one kind, by its key. */
class KindWatch<R extends Ref> {
  readonly #kind: Kind<R>;
  readonly #all = new Map<string, Watched<R>>();

  constructor(kind: Kind<R>) {
    this.#kind = kind;
  }

  get idle(): boolean {
    return this.#all.size === 0;
  }

  lease(ref: R): Lease {
    const key = this.#kind.keyOf(ref);
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
    return lease;
  }

  underWay(key: string): { episodes: number; bytes: number } {
    const sum = { episodes: 0, bytes: 0 };
    for (const { underWay } of this.#all.get(key)?.leases ?? []) {
      sum.episodes += underWay.episodes;
      sum.bytes += underWay.bytes;
    }
    return sum;
  }

  async look(engine: Engine): Promise<void> {
    const refs = [...this.#all.values()].map(({ ref }) => ref);
    const gone = await this.#kind.gone(engine.store.database, refs);
    for (const [key, watched] of this.#all) {
      if (gone.has(key)) for (const { abort } of watched.leases) abort.abort(taken());
      else await this.#tell(engine, watched);
    }
  }

  async #tell(engine: Engine, watched: Watched<R>): Promise<void> {
    const underWay = this.underWay(this.#kind.keyOf(watched.ref));
    const told = underWay.episodes + underWay.bytes;
    if (told === watched.told) return;
    watched.told = told;
    if (told > 0) await this.#kind.tellProgress(engine, watched.ref);
  }
}

const taken = (): AssayError => new AssayError('cancelled', 'the work is not wanted any more');

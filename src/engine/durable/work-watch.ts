import { AssayError } from '#core';
import type { Engine, Watchable as Kind, Lease, WorkRef as Ref, Watch } from './engine.ts';

/** Interval of checks whether work is still wanted; a cancellation is noticed within two of them. */
const checkInterval_ms = 400;

interface Watched<R extends Ref> {
  readonly ref: R;
  readonly leases: Set<Lease & { readonly abort: AbortController }>;
  published: number;
}

/** Watches the work that this process has taken; idle while there is none. */
export class WorkWatch implements Watch {
  readonly #engine: () => Engine;
  readonly #kinds = new Map<string, KindWatch<never>>();
  #timer: NodeJS.Timeout | undefined;
  #checking = false;

  constructor(engine: () => Engine) {
    this.#engine = engine;
  }

  lease<R extends Ref>(kind: Kind<R>, ref: R): Lease {
    this.#timer ??= setInterval(() => void this.#check(), checkInterval_ms).unref();
    return this.#watchOf(kind).lease(ref);
  }

  uncommitted(noun: Kind<never>['noun'], key: string): { episodes: number; bytes: number } {
    return this.#kinds.get(noun)?.uncommitted(key) ?? { episodes: 0, bytes: 0 };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #watchOf<R extends Ref>(kind: Kind<R>): KindWatch<R> {
    const watch = this.#kinds.get(kind.noun) ?? (new KindWatch(kind) as KindWatch<never>);
    this.#kinds.set(kind.noun, watch);
    return watch as unknown as KindWatch<R>;
  }

  async #check(): Promise<void> {
    const busy = [...this.#kinds.values()].filter(({ idle }) => !idle);
    if (busy.length === 0) return this.close();
    if (this.#checking) return;
    this.#checking = true;
    // An unavailable database is handled by whoever commits.
    for (const watch of busy) await watch.look(this.#engine()).catch(() => {});
    this.#checking = false;
  }
}

/** Watched work of one kind, by key. */
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
    const watched = this.#all.get(key) ?? { ref, leases: new Set(), published: 0 };
    this.#all.set(key, watched);
    const abort = new AbortController();
    const lease = {
      abort,
      signal: abort.signal,
      uncommitted: { episodes: 0, bytes: 0 },
      release: () => {
        watched.leases.delete(lease);
        if (watched.leases.size === 0) this.#all.delete(key);
      },
    };
    watched.leases.add(lease);
    return lease;
  }

  uncommitted(key: string): { episodes: number; bytes: number } {
    const sum = { episodes: 0, bytes: 0 };
    for (const { uncommitted } of this.#all.get(key)?.leases ?? []) {
      sum.episodes += uncommitted.episodes;
      sum.bytes += uncommitted.bytes;
    }
    return sum;
  }

  async look(engine: Engine): Promise<void> {
    const refs = [...this.#all.values()].map(({ ref }) => ref);
    const stopped = await this.#kind.findStopped(engine.store.database, refs);
    for (const [key, watched] of this.#all) {
      if (stopped.has(key)) for (const { abort } of watched.leases) abort.abort(cancelledError());
      else await this.#publish(engine, watched);
    }
  }

  async #publish(engine: Engine, watched: Watched<R>): Promise<void> {
    const uncommitted = this.uncommitted(this.#kind.keyOf(watched.ref));
    const transferred = this.#kind.transferredBytes?.(engine, watched.ref) ?? 0;
    const total = uncommitted.episodes + uncommitted.bytes + transferred;
    if (total === watched.published) return;
    watched.published = total;
    if (total > 0) await this.#kind.publishProgress(engine, watched.ref);
  }
}

const cancelledError = (): AssayError => new AssayError('cancelled', 'the work was cancelled');

import { AssayError } from '#core';
import { ExtentCache } from '../cache/extent-cache.ts';
import type { RecordingsRef } from '../recordings-ref.ts';
import type { RemoteEntry, RemoteObjects } from '../remote/remote-objects.ts';
import { type Answer, HttpClient } from './http-client.ts';
import { changedWhileRead } from './http-fault.ts';
import { type RangeTarget, readRange, readWhole } from './read-range.ts';
import { addressOf, plainEtag, stateOf, type WebEntry, type WebListing } from './web-listing.ts';

type WebRef = Extract<RecordingsRef, { kind: 'web' }>;

/** Where a file was found last, and in which state it is there. */
interface Found {
  readonly url: URL;
  state: string | null;
}

/** Files below an address, as they were listed. */
export class WebObjects implements RemoteObjects {
  readonly label: string;
  readonly store_id: string;
  readonly lone: string | null;
  readonly ranges: boolean;
  readonly parts_of_video: boolean;
  readonly #base: URL;
  readonly #client: HttpClient;
  readonly #cache: ExtentCache;
  readonly #entries: ReadonlyMap<string, WebEntry>;
  /** Addresses that the hub sent on to: signed, and good for a while. */
  readonly #found = new Map<string, Found>();

  constructor(ref: WebRef, { entries, lone }: WebListing) {
    this.label = ref.label;
    this.store_id = ref.base;
    this.lone = lone;
    this.ranges = ref.ranges;
    this.parts_of_video = ref.ranges;
    this.#base = new URL(ref.base);
    this.#client = new HttpClient(ref.access);
    this.#cache = new ExtentCache(ref.access.cache_folder, ref.access.cache_bytes / 2);
    this.#entries = new Map(entries.map((entry) => [entry.path, entry]));
  }

  async *list(): AsyncGenerator<RemoteEntry> {
    yield* this.#entries.values();
  }

  async entry(path: string): Promise<RemoteEntry> {
    const entry = this.#entries.get(path);
    if (entry !== undefined) return entry;
    throw new AssayError('not_found', `${this.label} holds no ${path}`);
  }

  read(entry: RemoteEntry, offset: number, length: number, how?: 'once'): Promise<Uint8Array> {
    return this.#cache.read(
      { store: this.store_id, ...entry },
      offset,
      length,
      (from, bytes) => readRange(this.#client, this.#target(entry), from, bytes).catch(asFault),
      { onCached: (bytes) => this.#client.traffic.add('cached', bytes), keep: how !== 'once' },
    );
  }

  whole(entry: RemoteEntry): AsyncGenerator<Uint8Array> {
    return readWhole(this.#client, this.#target(entry));
  }

  async sha256({ path }: RemoteEntry): Promise<string | null> {
    return this.#entries.get(path)?.sha256 ?? null;
  }

  close(): void {}

  #target(entry: RemoteEntry): RangeTarget {
    const { path } = entry;
    const own = addressOf(this.#base, path);
    return {
      entry,
      address: () => this.#found.get(path)?.url ?? own,
      check: (answer) => this.#check(entry, answer),
      expired: (url, { sentOn }) => {
        if (this.#found.get(path)?.url === url) this.#found.delete(path);
        return url !== own || sentOn.length > 0;
      },
    };
  }

  #check({ path, etag }: RemoteEntry, { response, url, sentOn }: Answer): void {
    const [first] = sentOn;
    const linked = first?.get('x-linked-etag');
    if (linked != null && plainEtag(linked) !== etag) throw changedWhileRead(path);
    const now = stateOf(response.headers);
    if (url.origin === this.#base.origin) {
      // Of an address of its own the tag is the one that was listed; a hub's cache may know none.
      if (first === undefined && now !== null && now !== etag) throw changedWhileRead(path);
      return;
    }
    const before = this.#found.get(path);
    if (before === undefined) this.#found.set(path, { url, state: now });
    else if (before.state !== null && now !== null && before.state !== now) throw changedWhileRead(path);
  }
}

/** Files here were listed and could be read then: that one cannot be now is the server's, whatever it answers. */
function asFault(thrown: unknown): never {
  if (!(thrown instanceof AssayError) || thrown.code === 'storage_unavailable') throw thrown;
  const { message, advice } = thrown;
  throw new AssayError('storage_unavailable', message, {
    cause: thrown,
    ...(advice === null ? {} : { advice }),
  });
}

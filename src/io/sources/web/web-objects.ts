import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError } from '#core';
import { ExtentCache } from '../cache/extent-cache.ts';
import type { RecordingsRef } from '../recordings-ref.ts';
import type { RemoteEntry, RemoteObjects } from '../remote/remote-objects.ts';
import {
  type Answer,
  changedWhileRead,
  drop,
  HttpClient,
  mostTries,
  noAnswer,
  refused,
  waitBefore,
} from './http-client.ts';
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

/** What is read: throws where an answer speaks of another state of the file. */
interface RangeTarget {
  readonly entry: RemoteEntry;
  address(): URL;
  /** Looks at what came with an answer; throws `changedWhileRead`. */
  check(answer: Answer): void;
  /** The address does not work any more, as signed ones do after a while. Answers whether there may be another. */
  expired(address: URL, answer: Answer): boolean;
}

/** A range of a file, taken up where it broke off. Fewer bytes at the end. */
async function readRange(
  client: HttpClient,
  target: RangeTarget,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const { entry } = target;
  const wanted = Math.max(0, Math.min(length, entry.bytes - offset));
  const into = new Uint8Array(wanted);
  let got = 0;
  for (let attempt = 1; got < wanted; attempt++) {
    const from = offset + got;
    const url = target.address();
    const headers = { range: `bytes=${from}-${offset + wanted - 1}` };
    const answer = await client.ask(url, { headers });
    const { status } = answer.response;
    if (status !== 206 && status !== 200) {
      await drop(answer);
      if (attempt < mostTries && status !== 416 && target.expired(url, answer)) {
        await sleep(waitBefore(attempt - 1));
        continue;
      }
      if (status === 416) throw changedWhileRead(entry.path);
      const code = answer.response.headers.get('x-error-code');
      throw refused(answer.url, status, code, client.knows(url));
    }
    const before = got;
    try {
      target.check(answer);
      demandRange(answer, entry, from);
      got += await take(client, answer, into.subarray(got));
    } catch (thrown) {
      if (thrown instanceof AssayError) throw thrown;
      got += broken(thrown);
      if (got > before) attempt = 0;
      else if (attempt === mostTries) throw noAnswer(url, thrown);
      await sleep(waitBefore(attempt + 1));
    } finally {
      await drop(answer);
    }
  }
  return into;
}

/** A whole file from a server that sends no parts. Throws what broke off: it begins anew then. */
async function* readWhole(client: HttpClient, target: RangeTarget): AsyncGenerator<Uint8Array> {
  const { entry } = target;
  const url = target.address();
  const answer = await client.ask(url);
  const { status } = answer.response;
  let got = 0;
  try {
    if (status !== 200) throw refused(answer.url, status, null, client.knows(url));
    target.check(answer);
    demandRange(answer, entry, 0);
    for await (const chunk of answer.response.body ?? []) {
      answer.alive();
      client.traffic.add('fetched', chunk.length);
      got += chunk.length;
      if (got > entry.bytes) throw changedWhileRead(entry.path);
      yield chunk;
    }
    if (got < entry.bytes) throw new BrokenOff(got, new Error('it ended early'));
  } finally {
    await drop(answer);
  }
}

/** How much had come when it broke off. */
class BrokenOff extends Error {
  readonly got: number;

  constructor(got: number, cause: unknown) {
    super('the connection broke off', { cause });
    this.got = got;
  }
}

const broken = (thrown: unknown): number => (thrown instanceof BrokenOff ? thrown.got : 0);

async function take(client: HttpClient, { response, alive }: Answer, into: Uint8Array): Promise<number> {
  let got = 0;
  try {
    for await (const chunk of response.body ?? []) {
      alive();
      client.traffic.add('fetched', chunk.length);
      const part = chunk.subarray(0, into.length - got);
      into.set(part, got);
      got += part.length;
      // A whole file came for a part. Where just the part came, its end is read, and the connection serves again.
      if (part.length < chunk.length) return got;
    }
  } catch (thrown) {
    throw new BrokenOff(got, thrown);
  }
  if (got === into.length) return got;
  throw new BrokenOff(got, new Error('it ended early'));
}

/** The bytes asked for, of a file that is as long as it was listed. A server may send the whole file instead. */
function demandRange({ response }: Answer, { bytes, path }: RemoteEntry, from: number): void {
  const { status, headers } = response;
  if (status === 206) {
    const said = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
    if (said === null || Number(said[1]) !== from || (said[2] !== '*' && Number(said[2]) !== bytes))
      throw changedWhileRead(path);
    return;
  }
  const length = headers.get('content-length');
  if (length !== null && Number(length) !== bytes) throw changedWhileRead(path);
  if (from > 0)
    throw new AssayError('storage_unavailable', 'the server does not send parts of files', {
      path,
      advice: 'copy the folder here first, or serve it with nginx, Apache or Caddy',
    });
}

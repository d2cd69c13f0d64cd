import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError, wrapReadError } from '#core';
import { ExtentCache } from '../cache/extent-cache.ts';
import type { RecordingsRef } from '../recordings-ref.ts';
import type { RemoteEntry, RemoteObjects } from '../remote/remote-objects.ts';
import {
  changedWhileReadError,
  discardBody,
  type HttpAnswer,
  HttpClient,
  maxAttempts,
  noAnswerError,
  refusedError,
  retryWait_ms,
} from './http-client.ts';

type WebRef = Extract<RecordingsRef, { kind: 'web' }>;

/** Redirect target of a file, and the version that the target reported. */
interface RedirectTarget {
  readonly url: URL;
  state: string | null;
}

/** The files below a web address in the state in which they were listed. */
export class WebObjects implements RemoteObjects {
  readonly label: string;
  readonly store_id: string;
  readonly singleFile: string | null;
  readonly ranges: boolean;
  readonly parts_of_video: boolean;
  readonly #base: URL;
  readonly #client: HttpClient;
  readonly #cache: ExtentCache;
  readonly #entries: ReadonlyMap<string, WebEntry>;
  /** Redirect targets by path; signed URLs that are valid for a while. */
  readonly #redirectTargets = new Map<string, RedirectTarget>();

  constructor(ref: WebRef, { entries, lone, base, ranges }: WebListing) {
    this.label = ref.label;
    this.store_id = base;
    this.singleFile = lone;
    this.ranges = ranges;
    this.parts_of_video = ranges;
    this.#base = new URL(base);
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
    throw new AssayError('not_found', `${this.label} has no file ${path}`);
  }

  read(entry: RemoteEntry, offset: number, length: number, how?: 'once'): Promise<Uint8Array> {
    return this.#cache.read(
      { store: this.store_id, ...entry },
      offset,
      length,
      (from, bytes) => readRange(this.#client, this.#target(entry), from, bytes).catch(rethrowAsStorageFault),
      { onCached: (bytes) => this.#client.traffic.add('cached', bytes), keep: how !== 'once' },
    );
  }

  readWhole(entry: RemoteEntry): AsyncGenerator<Uint8Array> {
    return readWhole(this.#client, this.#target(entry));
  }

  async sha256({ path }: RemoteEntry): Promise<string | null> {
    return this.#entries.get(path)?.sha256 ?? null;
  }

  close(): void {}

  #target(entry: RemoteEntry): ReadTarget {
    const { path } = entry;
    const listedUrl = fileUrl(this.#base, path);
    return {
      entry,
      address: () => this.#redirectTargets.get(path)?.url ?? listedUrl,
      check: (answer) => this.#check(entry, answer),
      dropAddress: (url, { redirectHeaders: sentOn }) => {
        if (this.#redirectTargets.get(path)?.url === url) this.#redirectTargets.delete(path);
        return url !== listedUrl || sentOn.length > 0;
      },
    };
  }

  #check({ path, etag }: RemoteEntry, { response, url, redirectHeaders: sentOn }: HttpAnswer): void {
    const [first] = sentOn;
    const linked = first?.get('x-linked-etag');
    if (linked != null && normalizeEtag(linked) !== etag) throw changedWhileReadError(path);
    const now = fileState(response.headers);
    if (url.origin === this.#base.origin) {
      // Without a redirect the tag must be the listed one; the cache of a hub may send none.
      if (first === undefined && now !== null && now !== etag) throw changedWhileReadError(path);
      return;
    }
    const previous = this.#redirectTargets.get(path);
    if (previous === undefined) this.#redirectTargets.set(path, { url, state: now });
    else if (previous.state !== null && now !== null && previous.state !== now)
      throw changedWhileReadError(path);
  }
}

/**
 * Rethrows any AssayError as `storage_unavailable`: the file was readable when it was listed, so the server is at
 * fault.
 */
function rethrowAsStorageFault(thrown: unknown): never {
  if (!(thrown instanceof AssayError) || thrown.code === 'storage_unavailable') throw thrown;
  const { message, advice } = thrown;
  throw new AssayError('storage_unavailable', message, {
    cause: thrown,
    ...(advice === null ? {} : { advice }),
  });
}

/** A file to read, with its current URL. */
interface ReadTarget {
  readonly entry: RemoteEntry;
  address(): URL;
  /** Throws `changedWhileReadError` if the headers of an answer belong to another version of the file. */
  check(answer: HttpAnswer): void;
  /** Forgets a URL that does not work any more, such as an expired signed URL. Returns true if another URL may work. */
  dropAddress(address: URL, answer: HttpAnswer): boolean;
}

/** Reads a byte range of a file, continuing after broken connections. Returns fewer bytes at the end of the file. */
async function readRange(
  client: HttpClient,
  target: ReadTarget,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const { entry } = target;
  const totalBytes = Math.max(0, Math.min(length, entry.bytes - offset));
  const into = new Uint8Array(totalBytes);
  let got = 0;
  for (let attempt = 1; got < totalBytes; attempt++) {
    const from = offset + got;
    const url = target.address();
    const headers = { range: `bytes=${from}-${offset + totalBytes - 1}` };
    const answer = await client.request(url, { headers });
    const { status } = answer.response;
    if (status !== 206 && status !== 200) {
      await discardBody(answer);
      if (attempt < maxAttempts && status !== 416 && target.dropAddress(url, answer)) {
        await sleep(retryWait_ms(attempt - 1));
        continue;
      }
      if (status === 416) throw changedWhileReadError(entry.path);
      const code = answer.response.headers.get('x-error-code');
      throw refusedError(answer.url, status, code, client.sendsToken(url));
    }
    const previous = got;
    try {
      target.check(answer);
      requireRange(answer, entry, from);
      got += await receiveInto(client, answer, into.subarray(got));
    } catch (thrown) {
      if (thrown instanceof AssayError) throw thrown;
      got += receivedBytes(thrown);
      if (got > previous) attempt = 0;
      else if (attempt === maxAttempts) throw noAnswerError(url, thrown);
      await sleep(retryWait_ms(attempt + 1));
    } finally {
      await discardBody(answer);
    }
  }
  return into;
}

/**
 * Streams a whole file from a server without range support. Throws `ConnectionBroken` if the connection breaks; the
 * caller starts again.
 */
async function* readWhole(client: HttpClient, target: ReadTarget): AsyncGenerator<Uint8Array> {
  const { entry } = target;
  const url = target.address();
  const answer = await client.request(url);
  const { status } = answer.response;
  let got = 0;
  try {
    if (status !== 200) throw refusedError(answer.url, status, null, client.sendsToken(url));
    target.check(answer);
    requireRange(answer, entry, 0);
    for await (const chunk of answer.response.body ?? []) {
      answer.extendTimeout(chunk.length);
      client.traffic.add('fetched', chunk.length);
      got += chunk.length;
      if (got > entry.bytes) throw changedWhileReadError(entry.path);
      yield chunk;
    }
    if (got < entry.bytes) throw new ConnectionBroken(got, new Error('the response ended early'));
  } finally {
    await discardBody(answer);
  }
}

/** Error of a broken connection with the number of bytes received before. */
class ConnectionBroken extends Error {
  readonly received: number;

  constructor(got: number, cause: unknown) {
    super('the connection broke', { cause });
    this.received = got;
  }
}

const receivedBytes = (thrown: unknown): number => (thrown instanceof ConnectionBroken ? thrown.received : 0);

async function receiveInto(
  client: HttpClient,
  { response, extendTimeout: alive }: HttpAnswer,
  into: Uint8Array,
): Promise<number> {
  let got = 0;
  try {
    for await (const chunk of response.body ?? []) {
      alive(chunk.length);
      client.traffic.add('fetched', chunk.length);
      const part = chunk.subarray(0, into.length - got);
      into.set(part, got);
      got += part.length;
      // The server sent more than the requested range. Otherwise the body is read to its end, so that the connection
      // can be reused.
      if (part.length < chunk.length) return got;
    }
  } catch (thrown) {
    throw thrown instanceof AssayError ? thrown : new ConnectionBroken(got, thrown);
  }
  if (got === into.length) return got;
  throw new ConnectionBroken(got, new Error('the response ended early'));
}

/** Throws unless an answer contains the requested range, or the whole file, of a file with the listed length. */
function requireRange({ response }: HttpAnswer, { bytes, path }: RemoteEntry, from: number): void {
  const { status, headers } = response;
  if (status === 206) {
    const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
    if (match === null || Number(match[1]) !== from || (match[2] !== '*' && Number(match[2]) !== bytes))
      throw changedWhileReadError(path);
    return;
  }
  const length = headers.get('content-length');
  if (length !== null && Number(length) !== bytes) throw changedWhileReadError(path);
  if (from > 0)
    throw new AssayError('storage_unavailable', 'the server does not support range requests', {
      path,
      advice: 'copy the folder to this machine first, or serve it with nginx, Apache or Caddy',
    });
}

/** A file in the state in which it was listed; reading it later either returns this state or throws. */
export interface WebEntry extends RemoteEntry {
  /** In hexadecimal; null if unknown. */
  readonly sha256: string | null;
}

/** A listing, as stored in a file for the worker threads. */
export interface WebListing {
  readonly entries: readonly WebEntry[];
  /** Path of the only file if the address is a single file, else null. */
  readonly lone: string | null;
  /** URL that ends with `/`; files lie below it. */
  readonly base: string;
  /** True if the server supports range requests; else files are downloaded whole. */
  readonly ranges: boolean;
}

/** Reads a listing from its file; throws AssayError if it is missing or not JSON. Its contents are not checked. */
export async function readListing(path: string): Promise<WebListing> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (thrown) {
    throw wrapReadError(thrown, path);
  }
}

/** Removes quotes and the weak prefix `W/` from an ETag. */
function normalizeEtag(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '');
}

/** Returns the version of a file from the headers of an answer: its ETag, else its modification date, else null. */
export function fileState(headers: Headers): string | null {
  const etag = headers.get('etag');
  return etag === null ? headers.get('last-modified') : normalizeEtag(etag);
}

/** Returns the URL of a path below `base`, which must end with `/`; each segment of the path is percent-encoded. */
export function fileUrl(base: URL, path: string): URL {
  return new URL(path.split('/').map(encodeURIComponent).join('/'), base);
}

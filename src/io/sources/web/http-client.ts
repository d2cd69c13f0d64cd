import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError, messageOf } from '#core';
import type { WebAccess } from '../recordings-ref.ts';
import { type Fetch, guardedFetch } from './network-guard.ts';
import { Traffic } from './traffic.ts';

/** Attempts of one request without receiving a byte, and the waits between them, which double. */
export const maxAttempts = 8;
const firstWait_ms = 200;
const maxWait_ms = 15_000;
/** Longest `Retry-After` that is waited for, in seconds. Hubs count requests over 5 minutes. */
const maxPause_s = 330;
const maxRedirects = 5;
/** Time in ms without data after which an answer is aborted. */
const silence_ms = 30_000;
/** Fewest bytes of a body per window of this many ms in a service, where a slow server would keep others waiting. */
const speedWindow_ms = 60_000;
const minWindowBytes = 60_000;

/** Attempts if no server accepts the connection: most likely the address is wrong. */
const maxUnreachableAttempts = 4;
const unreachableCodes: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH']);

/** HTTP statuses of transient errors. */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** An HTTP answer whose body has not been read. */
export interface HttpAnswer {
  readonly response: Response;
  /** URL of the answer after redirects. */
  readonly url: URL;
  /** Headers of the redirect answers, in order. */
  readonly redirectHeaders: readonly Headers[];
  /**
   * `extendTimeout` must be called with the length of every received chunk, `endTimeout` at the end: an answer that is
   * silent for 30 s is aborted. In a service, it throws `storage_unavailable` below 1 kB/s.
   */
  extendTimeout(bytes: number): void;
  endTimeout(): void;
}

/** Method and headers of a request. */
export interface HttpRequestOptions {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
}

/** HTTP client that retries transient errors, follows redirects, and sends the access token to the hub only. */
export class HttpClient {
  readonly #access: WebAccess;
  readonly #hub: string;
  readonly #fetch: Fetch;
  /** Aborted at the end of the time for all requests together; null without such a limit. */
  readonly #deadline: AbortSignal | null;
  readonly #until_ms: number;
  readonly traffic: Traffic;

  /** `time_ms` limits the time of all requests together, with retries; by default they may take any time. */
  constructor(access: WebAccess, time_ms: number | null = null) {
    this.#access = access;
    this.#hub = new URL(access.endpoint).origin;
    this.#fetch =
      access.networks === null
        ? (url, options) => fetch(url, { ...options, redirect: 'manual' })
        : guardedFetch(access.networks);
    this.#deadline = time_ms === null ? null : AbortSignal.timeout(time_ms);
    this.#until_ms = time_ms === null ? Number.POSITIVE_INFINITY : Date.now() + time_ms;
    this.traffic = new Traffic(access.traffic);
  }

  /**
   * Sends a request and returns the first answer that is not a transient error, whatever its status; throws
   * `storage_unavailable` after the last attempt.
   */
  async request(url: URL, options: HttpRequestOptions = {}): Promise<HttpAnswer> {
    for (let attempt = 1; ; attempt++) {
      if (this.#deadline?.aborted) throw tooSlowError(url);
      try {
        const answer = await this.#follow(url, options);
        if (!transientStatuses.has(answer.response.status) || attempt === maxAttempts) return answer;
        const wait_ms = retryAfter_ms(answer.response, attempt);
        await discardBody(answer);
        if (Date.now() + wait_ms > this.#until_ms) throw busyError(url, answer.response.status, wait_ms);
        await sleep(wait_ms);
      } catch (thrown) {
        if (thrown instanceof AssayError) throw thrown;
        if (this.#deadline?.aborted) throw tooSlowError(url);
        if (attempt >= (isUnreachable(thrown) ? maxUnreachableAttempts : maxAttempts))
          throw noAnswerError(url, thrown);
        await sleep(retryWait_ms(attempt));
      }
    }
  }

  /** True if requests to `url` carry the access token: one is set, and `url` is on the hub. */
  sendsToken(url: URL): boolean {
    return this.#access.token !== null && url.origin === this.#hub;
  }

  async #follow(first: URL, options: HttpRequestOptions): Promise<HttpAnswer> {
    const redirectHeaders: Headers[] = [];
    for (let url = first; ; ) {
      this.#requireSecure(url, first);
      const answer = await this.#requestOnce(url, options);
      const { status, headers } = answer.response;
      const location = headers.get('location');
      if (!redirectStatuses.has(status) || location === null) return { ...answer, url, redirectHeaders };
      await discardBody(answer);
      if (redirectHeaders.length === maxRedirects)
        throw new AssayError('storage_unavailable', `too many redirects from ${first.host}`, {
          advice: 'check the URL',
        });
      redirectHeaders.push(headers);
      url = redirectTarget(location, url);
    }
  }

  async #requestOnce(
    url: URL,
    { method = 'GET', headers = {} }: HttpRequestOptions,
  ): Promise<Omit<HttpAnswer, 'url' | 'redirectHeaders'>> {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new Error('timed out without receiving data')), silence_ms);
    try {
      this.traffic.add('requests', 1);
      const signal = this.#deadline === null ? stop.signal : AbortSignal.any([stop.signal, this.#deadline]);
      const response = await this.#fetch(url, {
        method,
        signal,
        headers: {
          // Ranges and lengths refer to the uncompressed bytes.
          'accept-encoding': 'identity',
          'user-agent': 'assay',
          ...headers,
          ...(this.sendsToken(url) ? { authorization: `Bearer ${this.#access.token}` } : {}),
        },
      });
      const checkSpeed = this.#access.networks === null ? () => {} : speedCheck(url);
      const extendTimeout = (bytes: number) => {
        timer.refresh();
        checkSpeed(bytes);
      };
      return { response, extendTimeout, endTimeout: () => clearTimeout(timer) };
    } catch (thrown) {
      clearTimeout(timer);
      throw thrown;
    }
  }

  #requireSecure(url: URL, first: URL): void {
    if (url.protocol === 'https:' || this.#access.networks !== null) return;
    const { plain_http } = this.#access;
    const isAllowed = url.protocol === 'http:' && (isLoopback(url) || plain_http);
    if (isAllowed && (first.protocol === 'http:' || plain_http)) return;
    throw new AssayError('usage', `${url.protocol}//${url.host} is not encrypted, so no request was sent`, {
      advice: 'use https://, or pass --plain-http if you trust the network in between',
    });
  }
}

/** Returns the target of a redirect. Throws `storage_unavailable` if it is no URL or has a user name or password. */
function redirectTarget(location: string, from: URL): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (target !== null && target.username === '' && target.password === '') return target;
  throw new AssayError('storage_unavailable', `${from.host} redirects to an address that cannot be used`, {
    advice: 'check the URL, or ask the administrator of the server',
  });
}

/** Returns a function that takes the length of each received chunk. It throws if fewer bytes arrive than 1 kB/s. */
function speedCheck({ host }: URL): (bytes: number) => void {
  let [since_ms, received] = [performance.now(), 0];
  return (bytes) => {
    received += bytes;
    const now_ms = performance.now();
    if (now_ms - since_ms < speedWindow_ms) return;
    if (received < minWindowBytes)
      throw new AssayError('storage_unavailable', `${host} sends less than 1 kB/s`, {
        advice: 'try again later, or copy the recordings to a faster server',
      });
    [since_ms, received] = [now_ms, 0];
  };
}

function isUnreachable(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : null;
  return (
    cause instanceof Error &&
    (cause.message === 'bad port' || unreachableCodes.has(Reflect.get(cause, 'code')))
  );
}

/** Returns true for addresses of this machine. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Ends an answer without reading the rest of its body; errors of that are ignored. */
export async function discardBody({
  response,
  endTimeout,
}: Pick<HttpAnswer, 'response' | 'endTimeout'>): Promise<void> {
  endTimeout();
  await response.body?.cancel().catch(() => {});
}

/** Returns the wait in ms after attempt number `attempt` (from 1), which doubles up to a maximum. */
export function retryWait_ms(attempt: number): number {
  return Math.min(maxWait_ms, firstWait_ms * 2 ** (attempt - 1));
}

/**
 * Returns the wait in ms that the server requests by `Retry-After` (seconds or date), else the usual wait. Throws
 * `storage_unavailable` if the server requests more than 330 s.
 */
function retryAfter_ms(response: Response, attempt: number): number {
  const header = response.headers.get('retry-after');
  if (header === null) return retryWait_ms(attempt);
  const pause_s = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  if (!Number.isFinite(pause_s)) return retryWait_ms(attempt);
  if (pause_s <= maxPause_s) return Math.max(0, pause_s * 1000);
  throw new AssayError('storage_unavailable', `the server asks to retry only after ${Math.ceil(pause_s)} s`, {
    advice: 'try again then; downloaded data is kept',
  });
}

/** Formats a URL without its query for messages, because signed URLs contain secrets there. */
function redactedUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** Creates the error for a server that does not answer, or whose answers break off, after all attempts. */
export function noAnswerError(url: URL, thrown: unknown): AssayError {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return new AssayError('storage_unavailable', `no response from ${url.host}: ${messageOf(cause)}`, {
    advice: 'check the network and the URL, then try again; downloaded data is kept',
    cause: thrown,
  });
}

const tooSlowError = ({ host }: URL): AssayError =>
  new AssayError('storage_unavailable', `${host} answers too slowly`, {
    advice: 'try again later, or use an address with fewer files',
  });

function busyError({ host }: URL, status: number, wait_ms: number): AssayError {
  const message = `${host} is busy (${status}) and asks to wait ${Math.ceil(wait_ms / 1000)} s`;
  return new AssayError('storage_unavailable', message, { advice: 'try again then' });
}

/** Creates the error for a file that changed while it was read; data read before and after must not be combined. */
export function changedWhileReadError(path: string): AssayError {
  return new AssayError('storage_unavailable', `${path} changed while it was read`, {
    path,
    advice: 'wait until writing has finished, then try again',
  });
}

/**
 * Creates the error for an unsuccessful answer: `not_permitted`, `not_found`, or `storage_unavailable`, with advice.
 */
export function refusedError(url: URL, status: number, code: string | null, tokenSent: boolean): AssayError {
  const where = redactedUrl(url);
  if (code === 'GatedRepo')
    return deniedError(where, 'it is a gated dataset', 'request access on its page, then set HF_TOKEN');
  if (status === 401 || status === 403) {
    const advice = tokenSent
      ? 'check that the URL is correct, and that the token is valid and has read permission'
      : 'check the URL; if it is private, set HF_TOKEN to a token with read permission';
    return deniedError(where, `the server returned ${status}`, advice);
  }
  if (status === 404 || status === 410) {
    const missing = code === 'RevisionNotFound' ? 'revision not found' : 'not found';
    return new AssayError('not_found', `${where}: ${missing}`, { advice: 'check the URL' });
  }
  return new AssayError('storage_unavailable', `${where}: the server returned ${status}`, {
    advice:
      status === 429
        ? 'too many requests: try again later'
        : 'try again; if it fails again, ask the administrator of the server',
  });
}

const deniedError = (where: string, why: string, advice: string): AssayError =>
  new AssayError('not_permitted', `no permission to read ${where}: ${why}`, { advice });

const maxPageBytes = 32 * 1024 * 1024;

/** A small document that was read completely. */
export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Reads a whole document of at most 32 MiB, whatever its status; throws `limit_exceeded` for a larger one, and
 * `storage_unavailable`.
 */
export async function readPage(client: HttpClient, url: URL, accept: string): Promise<Page> {
  const answer = await client.request(url, { headers: { accept } });
  const { response } = answer;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      answer.extendTimeout(chunk.length);
      client.traffic.add('fetched', chunk.length);
      bytes += chunk.length;
      parts.push(chunk);
      if (bytes > maxPageBytes)
        throw new AssayError(
          'limit_exceeded',
          `${url.href} returns more data than a folder listing can have`,
          {
            advice: 'check the URL: it must be a folder',
          },
        );
    }
  } finally {
    await discardBody(answer);
  }
  const text = new TextDecoder().decode(Buffer.concat(parts));
  return { url: answer.url, status: response.status, headers: response.headers, text };
}

/**
 * Reads a JSON document; throws the error of `refusedError` unless the status is 200, and `storage_unavailable` if the
 * text is not JSON.
 */
export async function readJson(client: HttpClient, url: URL): Promise<{ page: Page; json: unknown }> {
  const page = await retryBrokenBody(() => readPage(client, url, 'application/json'));
  if (page.status !== 200)
    throw refusedError(page.url, page.status, page.headers.get('x-error-code'), client.sendsToken(url));
  try {
    return { page, json: JSON.parse(page.text) };
  } catch (cause) {
    throw new AssayError('storage_unavailable', `${url.origin}${url.pathname} does not return JSON`, {
      advice: 'check the URL, and any proxy in between',
      cause,
    });
  }
}

const maxBodyAttempts = 6;

/**
 * Returns the result of `work`, which is run again, up to 6 times in all, if it throws anything but an AssayError, as
 * when a body breaks off.
 */
export async function retryBrokenBody<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof AssayError || attempt === maxBodyAttempts) throw thrown;
    }
  }
}

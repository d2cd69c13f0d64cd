import { setTimeout as sleep } from 'node:timers/promises';
import { AssayError, messageOf } from '#core';
import type { WebAccess } from '../recordings-ref.ts';
import { Traffic } from './traffic.ts';

/** Tries of one request without a byte in between, and the waits between them, which double. */
export const mostTries = 8;
const firstWait_ms = 200;
const longestWait_ms = 15_000;
/** Hubs count requests over five minutes. */
const longestPause_s = 330;
const mostRedirects = 5;
/** Silence after which an answer is given up. */
const silence_ms = 30_000;

/** Tries where no server takes the connection: most likely the address is wrong. */
const triesOfNobody = 4;
const absences: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH']);

/** May pass by itself. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface Answer {
  readonly response: Response;
  /** Where it came from in the end. */
  readonly url: URL;
  /** The answers that sent on, the first one first. */
  readonly sentOn: readonly Headers[];
  /** To be called with whatever came, and in the end: an answer that falls silent is given up. */
  alive(): void;
  done(): void;
}

export interface Asking {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks servers patiently, follows where they send on to, and shows the token to nobody but the hub. */
export class HttpClient {
  readonly #access: WebAccess;
  readonly #hub: string;
  readonly traffic: Traffic;

  constructor(access: WebAccess) {
    this.#access = access;
    this.#hub = new URL(access.endpoint).origin;
    this.traffic = new Traffic(access.traffic);
  }

  /** The first answer that is no passing trouble, whatever its status. Throws `storage_unavailable`. */
  async ask(url: URL, asking: Asking = {}): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.#follow(url, asking);
        if (!passing.has(answer.response.status) || attempt === mostTries) return answer;
        const wait_ms = pauseOf(answer.response, attempt);
        await drop(answer);
        await sleep(wait_ms);
      } catch (thrown) {
        if (thrown instanceof AssayError) throw thrown;
        if (attempt >= (nobodyThere(thrown) ? triesOfNobody : mostTries)) throw noAnswer(url, thrown);
        await sleep(waitBefore(attempt));
      }
    }
  }

  /** Whether a request there carries the token. */
  knows(url: URL): boolean {
    return this.#access.token !== null && url.origin === this.#hub;
  }

  async #follow(first: URL, asking: Asking): Promise<Answer> {
    const sentOn: Headers[] = [];
    for (let url = first; ; ) {
      this.#demandSafe(url, first);
      const answer = await this.#once(url, asking);
      const { status, headers } = answer.response;
      const location = headers.get('location');
      if (!redirects.has(status) || location === null) return { ...answer, url, sentOn };
      await drop(answer);
      if (sentOn.length === mostRedirects)
        throw new AssayError('storage_unavailable', `${first.host} sends from one address to the next`, {
          advice: 'check the address',
        });
      sentOn.push(headers);
      url = new URL(location, url);
    }
  }

  async #once(url: URL, { method = 'GET', headers = {} }: Asking): Promise<Omit<Answer, 'url' | 'sentOn'>> {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new Error('it fell silent')), silence_ms);
    try {
      this.traffic.add('requests', 1);
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        signal: stop.signal,
        headers: {
          // Ranges and lengths are of the bytes themselves.
          'accept-encoding': 'identity',
          'user-agent': 'assay',
          ...headers,
          ...(this.knows(url) ? { authorization: `Bearer ${this.#access.token}` } : {}),
        },
      });
      return { response, alive: () => void timer.refresh(), done: () => clearTimeout(timer) };
    } catch (thrown) {
      clearTimeout(timer);
      throw thrown;
    }
  }

  #demandSafe(url: URL, first: URL): void {
    if (url.protocol === 'https:') return;
    const { plain_http } = this.#access;
    const ours = url.protocol === 'http:' && (isLoopback(url) || plain_http);
    if (ours && (first.protocol === 'http:' || plain_http)) return;
    throw new AssayError('usage', `${url.protocol}//${url.host} is not encrypted and was not asked`, {
      advice: 'use https://, or pass --plain-http if you trust the network between here and there',
    });
  }
}

function nobodyThere(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : null;
  return cause instanceof Error && (cause.message === 'bad port' || absences.has(Reflect.get(cause, 'code')));
}

/** Of this machine. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Lets the connection go without reading on. */
export async function drop({ response, done }: Pick<Answer, 'response' | 'done'>): Promise<void> {
  done();
  await response.body?.cancel().catch(() => {});
}

export function waitBefore(attempt: number): number {
  return Math.min(longestWait_ms, firstWait_ms * 2 ** (attempt - 1));
}

/** As long as the server asks for, in seconds or until a date; a pause beyond all patience is an answer. */
function pauseOf(response: Response, attempt: number): number {
  const said = response.headers.get('retry-after');
  if (said === null) return waitBefore(attempt);
  const pause_s = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - Date.now()) / 1000;
  if (!Number.isFinite(pause_s)) return waitBefore(attempt);
  if (pause_s <= longestPause_s) return Math.max(0, pause_s * 1000);
  throw new AssayError('storage_unavailable', `the server asks for a pause of ${Math.ceil(pause_s)} s`, {
    advice: 'do it again then; what was fetched is kept',
  });
}

/** An address as messages may name it: signed addresses carry secrets in their query. */
function namedAddress(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** No answer came, or it broke off, however often it was tried. */
export function noAnswer(url: URL, thrown: unknown): AssayError {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return new AssayError('storage_unavailable', `${url.host} does not answer: ${messageOf(cause)}`, {
    advice: 'check the network and the address; what was fetched is kept, so do it again',
    cause: thrown,
  });
}

/** The file is not what it was: nothing read of it may be used together. */
export function changedWhileRead(path: string): AssayError {
  return new AssayError('storage_unavailable', `${path} changed while it was read`, {
    path,
    advice: 'wait until nobody writes there any more, then do it again',
  });
}

/** An answer that is no success, in words that say what to do. */
export function refused(url: URL, status: number, code: string | null, tokenSent: boolean): AssayError {
  const where = namedAddress(url);
  if (code === 'GatedRepo')
    return denied(
      where,
      'its owner wants to be asked first',
      'ask for access on its page, then set HF_TOKEN',
    );
  if (status === 401 || status === 403) {
    const advice = tokenSent
      ? 'check that the address is right, and that the token is valid and may read it'
      : 'check the address; if it is private, set HF_TOKEN to a token that may read it';
    return denied(where, `the server answered ${status}`, advice);
  }
  if (status === 404 || status === 410) {
    const missing = code === 'RevisionNotFound' ? 'the revision is not there' : 'nothing is there';
    return new AssayError('not_found', `${where}: ${missing}`, { advice: 'check the address' });
  }
  return new AssayError('storage_unavailable', `${where}: the server answered ${status}`, {
    advice:
      status === 429
        ? 'it asks for a pause: try again later'
        : 'try again; if it stays, ask who runs the server',
  });
}

const denied = (where: string, why: string, advice: string): AssayError =>
  new AssayError('not_permitted', `${where} may not be read: ${why}`, { advice });

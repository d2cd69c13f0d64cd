import type { AssayApiError } from './api-error.ts';

/** Address of a service, token, and defaults of a client. */
export interface ClientOptions {
  /** `https://host`, with the path that the service is mounted on, if any. */
  readonly address: string;
  /** A token, `asy_…`, or a function that returns one for each attempt. Absent: only public operations can be called. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Maximum number of attempts if a retry can help. Defaults to 4; 1 disables retries. */
  readonly tries?: number | undefined;
  /** Longest `Retry-After` in seconds to wait for; after a longer one the error is thrown. Defaults to 30. */
  readonly longest_wait_s?: number | undefined;
  /** Timeout of one attempt in ms, including reading the answer. Defaults to 300,000; streams have none. */
  readonly timeout_ms?: number | undefined;
  /** Headers of each request, such as `User-Agent` outside browsers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`, for tests, proxies and service workers. */
  readonly fetch?: typeof fetch | undefined;
  /** Converts errors of the client to those of the program. */
  readonly map_error?: ((error: AssayApiError) => unknown) | undefined;
}

/** Options that every request has. */
interface RequestOptions {
  /** Aborts the call, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of attempts; for streams, of consecutive ones without an event. Defaults to that of the client. */
  readonly tries?: number | undefined;
  /** Idempotency key, for operations that take one. Defaults to a random key per call, the same for all attempts. */
  readonly idempotency_key?: string | undefined;
  /** Id of the request in the service’s logs and audit log. */
  readonly request_id?: string | undefined;
}

/** Options of one call. */
export interface CallOptions extends RequestOptions {
  /** Timeout of one attempt in ms. Defaults to that of the client. */
  readonly timeout_ms?: number | undefined;
  /** For downloads: bytes from this one on, if the content still has the entity tag; else all of it. */
  readonly range?: { readonly from: number; readonly etag: string } | undefined;
}

/** Options of one event stream. */
export interface StreamOptions extends RequestOptions {
  /** Continues after the event of this id. */
  readonly last_event_id?: string | undefined;
  /** Time without data in ms after which a stream counts as interrupted. Defaults to 45,000, three heartbeats. */
  readonly silence_ms?: number | undefined;
}

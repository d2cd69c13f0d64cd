import type { AssayApiError } from './api-error.ts';

/** Where a service answers, who asks, and how patient the client is. */
export interface ClientOptions {
  /** `https://host`, with the path that the service is mounted on, if any. */
  readonly address: string;
  /** A token, `asy_…`, or what gives one for each try. Absent: only what needs no token can be asked. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** How often a request is tried in all, where trying again can help; 4 unless told. 1: never again. */
  readonly tries?: number | undefined;
  /** The longest wait that a service may ask for before a next try; 30 unless told. Longer: the refusal is thrown. */
  readonly longest_wait_s?: number | undefined;
  /** For one try of a request, until its answer is read; 300,000 unless told. Streams have no such end. */
  readonly timeout_ms?: number | undefined;
  /** Sent with each request, such as `User-Agent` outside browsers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the global one: for tests, proxies, service workers. */
  readonly fetch?: typeof fetch | undefined;
  /** What is thrown in place of the client's own error, where a program has errors of its own. */
  readonly map_error?: ((error: AssayApiError) => unknown) | undefined;
}

/** What may differ from call to call. */
export interface CallOptions {
  /** Ends the call; what it rejects with is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeout_ms?: number | undefined;
  readonly tries?: number | undefined;
  /** Of operations that take one; made up for each call unless told. Every try of a call has the same. */
  readonly idempotency_key?: string | undefined;
  /** Of downloads: bytes from this one on, of what the entity tag names; all of them where that has changed. */
  readonly range?: { readonly from: number; readonly etag: string } | undefined;
  /** Names the request in the service's logs and in its audit log. */
  readonly request_id?: string | undefined;
}

/** What may differ from stream to stream. */
export interface StreamOptions {
  /** Ends the stream; what it rejects with is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The stream goes on after the event of this id. */
  readonly last_event_id?: string | undefined;
  /** How often in a row a stream that was cut is asked for again; as for calls unless told. 1: never again. */
  readonly tries?: number | undefined;
  /** A stream over which nothing came for so long counts as cut; 45,000 unless told: three heartbeats. */
  readonly silence_ms?: number | undefined;
}

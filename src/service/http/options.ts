import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { limits } from '#core';
import type { Operation, Role } from '#core/api';
import type { Actor } from '#service/operations';
import type { Store } from '#store';
import type { AnyHandler, RequestContext } from './handler.ts';
import type { Metrics } from './metrics.ts';
import type { OpenRequests } from './requests/open-requests.ts';
import type { Tracing } from './tracing.ts';

/** Limits of the HTTP server. */
export interface Limits {
  /** Largest JSON body in bytes. */
  readonly body_bytes: number;
  /** Requests per minute and token. */
  readonly token_per_minute: number;
  /** Requests per minute and address without need of a token, and, counted separately, without a valid token. */
  readonly address_per_minute: number;
  /** Interval in ms of the comments that keep an event stream open. */
  readonly heartbeat_ms: number;
}

/** Default limits of the HTTP server. */
export const defaultLimits: Limits = {
  body_bytes: limits.requests.body_bytes.value,
  token_per_minute: limits.requests.token_per_minute.value,
  address_per_minute: limits.requests.address_per_minute.value,
  heartbeat_ms: limits.requests.heartbeat_ms.value,
};

/** State that the parts of the server share. */
export interface ServerContext {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly open_requests: OpenRequests;
  readonly verify_answers: boolean;
}

/** Options of the HTTP server. */
export interface ServerOptions {
  readonly store: Store;
  readonly operations: Iterable<Operation>;
  /** Handler of each operation by its id. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Returns the actor of a token; null if it is unknown, expired or revoked. */
  readonly authenticate: (token: string) => Promise<Actor | null>;
  /** Logger such as pino. Logs nothing by default. */
  readonly log?: FastifyBaseLogger;
  readonly limits?: Partial<Limits>;
  /** Metrics to add to. Created by default. */
  readonly metrics?: Metrics;
  /** Tracing; closed with the server. Off by default. */
  readonly tracing?: Tracing;
  /** Other protocols, such as resumable uploads. */
  readonly mounts?: readonly Mount[];
  /** The web application. Only the API is served by default. */
  readonly site?: Site;
  /** Addresses whose `X-Forwarded-For` is trusted; see fastify's `trustProxy`. */
  readonly trust_proxy?: string | readonly string[];
  /** Validates every answer against its schema and answers 500 if it does not fit; for tests. */
  readonly verify_answers?: boolean;
}

/**
 * A path prefix that serves another protocol on the raw request and response. Authentication, roles, rate limits,
 * request ids and logs apply as usual; bodies are neither read nor limited.
 */
export interface Mount {
  readonly id: string;
  /** Path such as `/v1/uploads`; includes everything below it. */
  readonly prefix: `/${string}`;
  readonly methods: readonly string[];
  /** Minimum role. */
  readonly role: Role;
  /** Accepted content types of request bodies. */
  readonly content_types: readonly string[];
  /** Answers on `response`, whose headers may already be set. May throw only before it has begun to answer. */
  readonly handle: (served: RequestContext, request: RawRequest, response: RawResponse) => Promise<void>;
  /** Ends open streams when the server stops. */
  readonly close?: () => Promise<void>;
}

/** Node's HTTP request. */
export type RawRequest = FastifyRequest['raw'];
/** Node's HTTP response. */
export type RawResponse = import('fastify').FastifyReply['raw'];

/** A file of the web application. */
export interface SiteFile {
  readonly content_type: string;
  readonly etag: string;
  readonly plain: Buffer;
  /** Gzipped content; null if it is not smaller. */
  readonly gzipped: Buffer | null;
  /** Whether the file name changes with the content, so that it can be cached forever. */
  readonly immutable: boolean;
}

/** The web application: `index.html` and its assets. */
export interface Site {
  /** Returns a file by its path below the site; null if there is none. */
  file(path: string): Promise<SiteFile | null>;
}

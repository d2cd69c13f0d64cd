import type { FastifyBaseLogger } from 'fastify';
import { limits } from '#core';
import type { Operation } from '#core/api';
import type { Actor } from '#service/operations';
import type { Store } from '#store';
import type { AnyHandler } from './handler.ts';
import type { Metrics } from './metrics.ts';
import type { Mount } from './mount.ts';
import type { Open } from './requests/open-requests.ts';
import type { Site } from './site-file.ts';
import type { Tracing } from './tracing.ts';

export interface Limits {
  /** Of a JSON body. */
  readonly body_bytes: number;
  /** Requests a minute of one token. */
  readonly token_per_minute: number;
  /** Requests a minute of one address that need no token, and as many that show no good one. */
  readonly address_per_minute: number;
  /** Between comments that keep an event stream's connection open. */
  readonly heartbeat_ms: number;
}

export const defaultLimits: Limits = {
  body_bytes: limits.requests.body_bytes.value,
  token_per_minute: limits.requests.token_per_minute.value,
  address_per_minute: limits.requests.address_per_minute.value,
  heartbeat_ms: limits.requests.heartbeat_ms.value,
};

/** What the server's parts share. */
export interface ServerContext {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly open: Open;
  readonly verify_answers: boolean;
}

/** What the HTTP side is put together from. */
export interface ServerOptions {
  readonly store: Store;
  readonly operations: Iterable<Operation>;
  /** By operation id; one for each operation. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Whose a token is; null when it is unknown, expired or revoked. */
  readonly authenticate: (token: string) => Promise<Actor | null>;
  /** pino, or anything like it. Absent: nothing is logged. */
  readonly log?: FastifyBaseLogger;
  readonly limits?: Partial<Limits>;
  /** Absent: its own. */
  readonly metrics?: Metrics;
  /** Absent: nothing is traced. Closed with the server. */
  readonly tracing?: Tracing;
  /** Protocols beside the contract's JSON, such as resumable uploads. */
  readonly mounts?: readonly Mount[];
  /** The web application. Absent: only the interface is served. */
  readonly site?: Site;
  /** Believe `X-Forwarded-For` of these addresses; see fastify's `trustProxy`. */
  readonly trust_proxy?: string | readonly string[];
  /** Holds every answer against its schema and answers 500 where it does not fit: for tests. */
  readonly verify_answers?: boolean;
}

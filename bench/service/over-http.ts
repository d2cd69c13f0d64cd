import { z } from 'zod';
import { defineOperation } from '#core/api';
import { operations } from '#core/api/operations';
import { createServer, handlers } from '#service/http';
import type { Actor } from '#service/operations';
import { type Database, openServer, type Store } from '#store';
import { type Latencies, runClients } from './clients.ts';
import { quantile, sorted } from './quantile.ts';
import { seededOwner } from './seed-episodes.ts';

/** Number of concurrent clients. */
export const clients = 20;
/** A PostgreSQL server to measure on, where somebody names one. */
export const serverUrl = process.env.ASSAY_BENCH_POSTGRES_URL;
/** Caller of the requests: a user of the tenant of the seeded episodes. */
export const actor: Actor = {
  ...seededOwner,
  token_id: 'tok_',
  user_id: null,
  name: 'bench',
  role: 'viewer',
};

/** Answers nothing: what HTTP, the token and the clients cost. */
const emptyOperation = defineOperation({
  id: 'get_nothing',
  method: 'GET',
  path: '/v1/nothing',
  tag: 'bench',
  summary: 'Answers at once',
  role: 'viewer',
  success: { status: 200, schema: z.strictObject({}) },
});
export const emptyPath = '/v1/nothing';

/** A new, empty database on the server. */
export async function ownDatabase(server: string): Promise<Database> {
  const first = openServer(server, { connections: 1 });
  await first.query('DROP DATABASE IF EXISTS assay_bench WITH (FORCE)');
  await first.query('CREATE DATABASE assay_bench');
  await first.close();
  // Replaced as text, because URL rejects socket addresses without a host.
  return openServer(server.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, '$1assay_bench'));
}

/** Asks `count` questions, in turn of `paths`. */
export type Ask = (paths: readonly string[], count: number) => Promise<Latencies>;

/** Serves a store over HTTP, beside a route that does nothing, for as long as `work` asks. */
export async function overHttp<T>(store: Store, work: (ask: Ask) => Promise<T>): Promise<T> {
  const server = await createServer({
    store,
    operations: [...operations, emptyOperation],
    handlers: { ...handlers, get_nothing: async () => ({}) },
    authenticate: async () => actor,
    limits: { token_per_minute: 1e9, address_per_minute: 1e9 },
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as { port: number };
  const about = { base: `http://127.0.0.1:${port}`, token: 'bench', clients };
  try {
    return await work((paths, requests) => runClients({ ...about, paths, requests }));
  } finally {
    await server.close();
  }
}

export interface Summary {
  readonly requests: number;
  /** Answers a second of all clients together, while all of them ask. */
  readonly per_s: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Summarises the latencies of all paths. */
export function summary(latencies: Latencies): Summary {
  const all = sorted(Object.values(latencies).flat());
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  return {
    requests: all.length,
    // Each client asks again as soon as it is answered.
    per_s: (clients * 1000) / mean,
    p50: quantile(all, 0.5),
    p95: quantile(all, 0.95),
    p99: quantile(all, 0.99),
  };
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

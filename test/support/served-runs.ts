import type { FastifyInstance } from 'fastify';
import type { Role } from '#core/api';
import { operations } from '#core/api/operations';
import { createServer, handlers } from '#service/http';
import type { JoinedService } from './run-service.ts';

interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers; the contract test holds their shapes
  readonly body: any;
}

/** A run service behind its HTTP side, on a real port. */
export interface ServedRuns {
  /** `path` is what follows `/v1/`. */
  ask(method: string, path: string, body?: unknown, role?: Role): Promise<Answered>;
  close(): Promise<void>;
}

/** Serves it to the tenant of its call, whose tokens are the names of their roles. */
export async function serveRuns({ store, call }: JoinedService): Promise<ServedRuns> {
  const server: FastifyInstance = await createServer({
    store,
    operations,
    handlers,
    authenticate: async (role) => ({ ...call.actor, token_id: role, role: role as Role }),
    verify_answers: true,
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    ask: async (method, path, body, role = 'engineer') => {
      const answer = await fetch(`${address}/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${role}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
    close: () => server.close(),
  };
}

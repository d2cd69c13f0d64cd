import type { FastifyInstance } from 'fastify';

/** One line a request, when it has ended: never headers, bodies or queries. */
export function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    const { access, url } = request.routeOptions.config ?? {};
    request.log.info(
      {
        method: request.method,
        operation: access?.id ?? null,
        route: access === undefined ? null : url,
        tenant_id: request.actor?.tenant_id ?? null,
        token_id: request.actor?.token_id ?? null,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
  });
}

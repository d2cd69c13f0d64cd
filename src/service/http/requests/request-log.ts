import type { FastifyInstance } from 'fastify';

/** What was thrown, for the log: a failed statement without the values that it was given, which are a user's. */
export function loggable(thrown: unknown): { readonly error: string } {
  const lines: string[] = [];
  for (let at = thrown; at !== undefined; at = at instanceof Error ? at.cause : undefined) {
    const said = at instanceof Error ? (at.stack ?? at.message) : String(at);
    lines.push(said.replace(/\nparams: [\s\S]*?(?=\n {4}at |$)/, ''));
  }
  return { error: lines.join('\ncaused by ') };
}

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

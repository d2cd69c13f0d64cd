import type { FastifyInstance } from 'fastify';

/**
 * Returns the stacks of an error and of its causes for the log. Parameter values of failed SQL statements are removed, because
 * they are user data.
 */
export function toLogEntry(thrown: unknown): { readonly error: string } {
  const lines: string[] = [];
  for (let at = thrown; at !== undefined; at = at instanceof Error ? at.cause : undefined) {
    const trace = at instanceof Error ? (at.stack ?? at.message) : String(at);
    lines.push(trace.replace(/\nparams: [\s\S]*?(?=\n {4}at |$)/, ''));
  }
  return { error: lines.join('\ncaused by ') };
}

/** Adds a hook to the server that logs one line per finished request; never headers, bodies or queries. */
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

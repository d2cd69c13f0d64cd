import type { FastifyInstance } from 'fastify';
import type { Mount } from './mount.ts';
import type { ServerContext } from './options.ts';
import { loggable } from './requests/request-log.ts';
import { callOf } from './tokens/call-of.ts';
import { sessionTokenOf } from './tokens/session-cookie.ts';

/** Adds the mounts, each with its own content types. */
export async function addMounts(
  server: FastifyInstance,
  mounts: readonly Mount[],
  context: ServerContext,
): Promise<void> {
  for (const mount of mounts) {
    const { close } = mount;
    if (close !== undefined) server.addHook('preClose', () => close());
    await server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      for (const type of mount.content_types)
        scope.addContentTypeParser(type, (_request, _body, done) => done(null, undefined));
      addRoutes(scope, mount, context);
    });
  }
}

function addRoutes(scope: FastifyInstance, mount: Mount, { store, metrics, open }: ServerContext): void {
  for (const url of [mount.prefix, `${mount.prefix}/*`])
    scope.route({
      method: [...mount.methods],
      url,
      exposeHeadRoute: false,
      config: { access: { id: mount.id, role: mount.role, page: false, metered: true } },
      handler: async (request, reply) => {
        const served = {
          store,
          call: callOf(request),
          metrics,
          session_token: sessionTokenOf(request),
          headers: request.headers,
          signal: open.signalOf(reply),
        };
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value);
        try {
          await mount.handle(served, request.raw, reply.raw);
        } catch (thrown) {
          if (!reply.raw.headersSent) throw thrown;
          request.log.error(loggable(thrown), 'request failed after its answer had begun');
          reply.raw.destroy();
        }
        return reply.hijack();
      },
    });
}

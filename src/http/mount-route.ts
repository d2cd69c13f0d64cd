import type { FastifyInstance } from 'fastify';
import { callOf } from './call-of.ts';
import type { Mount } from './mount.ts';
import type { Open } from './open-requests.ts';
import type { ServerOptions } from './options.ts';

/** Adds the mounts, each with its own content types. */
export async function addMounts(
  server: FastifyInstance,
  { mounts = [], store }: ServerOptions,
  open: Open,
): Promise<void> {
  for (const mount of mounts) {
    await server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      for (const type of mount.content_types)
        scope.addContentTypeParser(type, (_request, _body, done) => done(null, undefined));
      addRoutes(scope, mount, store, open);
    });
  }
}

function addRoutes(scope: FastifyInstance, mount: Mount, store: ServerOptions['store'], open: Open): void {
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
          headers: request.headers,
          signal: open.signalOf(reply),
        };
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value);
        try {
          await mount.handle(served, request.raw, reply.raw);
        } catch (thrown) {
          if (!reply.raw.headersSent) throw thrown;
          request.log.error({ err: thrown }, 'request failed after its answer had begun');
          reply.raw.destroy();
        }
        return reply.hijack();
      },
    });
}

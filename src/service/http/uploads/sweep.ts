import type { FastifyInstance } from 'fastify';
import { sweepUploads } from '#service/operations';
import type { Store } from '#store';

const sweep_ms = 3600_000;

/** Throws abandoned uploads away, at the start and every hour. */
export function sweepAbandonedUploads(server: FastifyInstance, store: Store): void {
  const sweep = () =>
    sweepUploads(store, new Date()).catch((thrown) =>
      server.log.warn({ err: thrown }, 'abandoned uploads stay for now'),
    );
  const timer = setInterval(() => void sweep(), sweep_ms).unref();
  server.addHook('onListen', async () => void sweep());
  server.addHook('onClose', async () => clearInterval(timer));
}

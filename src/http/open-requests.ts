import type { FastifyInstance, FastifyReply } from 'fastify';

export interface Open {
  /**
   * Aborted when the client went before the answer had ended, or, for streams that have no end, when the server stops;
   * for what waits for others' work by the server's stop alone.
   */
  signalOf(reply: FastifyReply): AbortSignal;
}

/** Keeps the answers under way, so that a stop can end those that would never end, and waits for nobody who idles. */
export function trackOpenRequests(server: FastifyInstance): Open {
  const endless = new Set<AbortController>();
  let stopping = false;
  server.addHook('preClose', async () => {
    stopping = true;
    for (const controller of endless) controller.abort();
  });
  // A connection whose last answer ends during the stop would idle until its keep-alive time is over.
  server.addHook('onResponse', async () => {
    if (stopping) setImmediate(() => server.server.closeIdleConnections());
  });
  return {
    signalOf: (reply) => {
      const controller = new AbortController();
      const { operation } = reply.routeOptions.config ?? {};
      const success = operation?.success;
      const isStream = success !== undefined && 'content_type' in success && success.content_type === events;
      const waits = operation?.waits === true;
      if (isStream || waits) endless.add(controller);
      reply.raw.once('close', () => {
        endless.delete(controller);
        if (!reply.raw.writableFinished && !waits) controller.abort();
      });
      return controller.signal;
    },
  };
}

const events = 'text/event-stream';

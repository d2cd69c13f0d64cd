import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ActorCache } from '../tokens/actor-cache.ts';
import { watchStreamTokens } from '../tokens/stream-tokens.ts';

type Socket = NonNullable<FastifyReply['raw']['socket']>;

export interface Open {
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /**
   * Aborted when the client went before the answer had ended, or, for streams that have no end, when the server stops or
   * their token is no longer good; for what waits for others' work by the server's stop alone.
   */
  signalOf(reply: FastifyReply): AbortSignal;
}

/** Keeps the answers under way, so that a stop can end those that would never end, and waits for nobody who idles. */
export function trackOpenRequests(server: FastifyInstance, actors: ActorCache): Open {
  const tokens = watchStreamTokens(server, actors);
  const endless = new Set<AbortController>();
  const stopping = new AbortController();
  server.addHook('preClose', async () => {
    stopping.abort();
    for (const controller of endless) controller.abort();
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  });
  // One that was opened ahead of a request counts as no idle one: the stop would wait for it for a minute.
  const connections = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    if (stopping.signal.aborted) socket.destroy();
  });
  // A connection whose last answer ends during the stop would idle until its keep-alive time is over.
  server.addHook('onResponse', async () => {
    if (stopping.signal.aborted) setImmediate(() => server.server.closeIdleConnections());
  });
  return {
    stopping: stopping.signal,
    signalOf: (reply) => {
      const { operation } = reply.routeOptions.config ?? {};
      if (operation?.waits === true) return stopping.signal;
      const controller = new AbortController();
      const success = operation?.success;
      const isEndless = success !== undefined && 'content_type' in success && success.content_type === events;
      if (isEndless) {
        endless.add(controller);
        tokens.watch(reply, controller);
      }
      reply.raw.once('close', () => {
        endless.delete(controller);
        if (!reply.raw.writableFinished) controller.abort();
      });
      return controller.signal;
    },
  };
}

const events = 'text/event-stream';

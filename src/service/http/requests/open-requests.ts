import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ActorCache } from '../tokens/actor-cache.ts';
import { tokenOf } from '../tokens/token-of.ts';

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

/** With the time that a token is remembered and the farewell less than five seconds. */
const every_ms = 2000;
/** How long a client may take to read what was on its way; then its connection is cut. */
const farewell_ms = 500;

interface Stream {
  readonly token: string;
  readonly reply: FastifyReply;
  readonly end: AbortController;
}

interface StreamTokens {
  /** Aborts `end` when the token of the request is no longer good. */
  watch(reply: FastifyReply, end: AbortController): void;
}

/** Asks again and again whether the tokens of open streams are good: in whatever process they were revoked. */
function watchStreamTokens(server: FastifyInstance, actors: ActorCache): StreamTokens {
  const streams = new Set<Stream>();
  let checking = false;
  const check = async () => {
    if (checking) return;
    checking = true;
    const byToken = Map.groupBy(streams, ({ token }) => token);
    for (const [token, own] of byToken) if (await isGone(actors, token)) own.forEach(endStream);
    checking = false;
  };
  const timer = setInterval(() => void check(), every_ms).unref();
  server.addHook('onClose', async () => clearInterval(timer));
  return {
    watch: (reply, end) => {
      const token = reply.request.actor === null ? null : tokenOf(reply.request);
      if (token === null) return;
      const stream = { token, reply, end };
      streams.add(stream);
      reply.raw.once('close', () => streams.delete(stream));
    },
  };
}

/** A database that does not answer says nothing about a token. */
const isGone = (actors: ActorCache, token: string): Promise<boolean> =>
  actors.find(token).then(
    (actor) => actor === null,
    () => false,
  );

function endStream({ reply, end }: Stream): void {
  end.abort();
  setTimeout(() => reply.raw.destroy(), farewell_ms).unref();
}

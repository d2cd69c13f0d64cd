import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ActorCache } from '../actor-cache.ts';
import { readToken } from '../request-identity.ts';

type Socket = NonNullable<FastifyReply['raw']['socket']>;

/** Work of requests that continues after their connection is closed, such as storing what a stream did. */
export interface BackgroundWork {
  /** Makes the stop of the server wait for the work, for at most five seconds. Errors are ignored. */
  track(work: Promise<unknown>): void;
}

/** Signals that end open requests, and their work that the stop of the server waits for. */
export interface OpenRequests extends BackgroundWork {
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /**
   * Returns the signal of a request: aborted when the client disconnects early; for event streams also when the
   * server stops or their token is no longer valid. Operations that wait for other work get the server's stop signal
   * only.
   */
  signalOf(reply: FastifyReply): AbortSignal;
}

/**
 * Adds hooks to the server, so that stopping it ends event streams and closes idle connections, and returns the signals of its
 * requests.
 */
export function trackOpenRequests(server: FastifyInstance, actors: ActorCache): OpenRequests {
  const tokens = watchStreamTokens(server, actors);
  const endless = new Set<AbortController>();
  const stopping = new AbortController();
  server.addHook('preClose', async () => {
    stopping.abort();
    for (const controller of endless) controller.abort();
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  });
  // A connection without a request yet does not count as idle and would delay the stop by a minute.
  const connections = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    if (stopping.signal.aborted) socket.destroy();
  });
  // A connection whose last answer ends during the stop would stay open until its keep-alive timeout.
  server.addHook('onResponse', async () => {
    if (stopping.signal.aborted) setImmediate(() => server.server.closeIdleConnections());
  });
  const background = new Set<Promise<unknown>>();
  server.addHook('onClose', async () => {
    const late = new AbortController();
    const limit = wait(backgroundGrace_ms, undefined, { signal: late.signal }).catch(() => {});
    await Promise.race([Promise.allSettled(background), limit]);
    late.abort();
  });
  return {
    track: (work) => {
      background.add(work);
      const forget = () => void background.delete(work);
      work.then(forget, forget);
    },
    stopping: stopping.signal,
    signalOf: (reply) => {
      const { operation } = reply.routeOptions.config ?? {};
      if (operation?.waits === true) return stopping.signal;
      const controller = new AbortController();
      const success = operation?.success;
      const isEndless =
        success !== undefined && 'content_type' in success && success.content_type === eventStreamType;
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

const eventStreamType = 'text/event-stream';

/** Longest time in ms that the stop of the server waits for background work. */
const backgroundGrace_ms = 5000;

/** Interval of token checks in ms; with the token cache and the grace period it stays below five seconds. */
const tokenCheckInterval_ms = 2000;
/** Time in ms for a client to read pending data before its connection is closed. */
const closeGrace_ms = 500;

interface Stream {
  readonly token: string;
  readonly reply: FastifyReply;
  readonly end: AbortController;
}

interface StreamTokens {
  /** Aborts `end` when the token of the request becomes invalid. */
  watch(reply: FastifyReply, end: AbortController): void;
}

/** Checks periodically whether the tokens of open streams are still valid, whichever process revoked them. */
function watchStreamTokens(server: FastifyInstance, actors: ActorCache): StreamTokens {
  const streams = new Set<Stream>();
  let checking = false;
  const check = async () => {
    if (checking) return;
    checking = true;
    const byToken = Map.groupBy(streams, ({ token }) => token);
    for (const [token, own] of byToken) if (await isRevoked(actors, token)) own.forEach(endStream);
    checking = false;
  };
  const timer = setInterval(() => void check(), tokenCheckInterval_ms).unref();
  server.addHook('onClose', async () => clearInterval(timer));
  return {
    watch: (reply, end) => {
      const token = reply.request.actor === null ? null : readToken(reply.request);
      if (token === null) return;
      const stream = { token, reply, end };
      streams.add(stream);
      reply.raw.once('close', () => streams.delete(stream));
    },
  };
}

/** Returns whether a token is invalid; false if the database does not answer. */
const isRevoked = (actors: ActorCache, token: string): Promise<boolean> =>
  actors.find(token).then(
    (actor) => actor === null,
    () => false,
  );

function endStream({ reply, end }: Stream): void {
  end.abort();
  setTimeout(() => reply.raw.destroy(), closeGrace_ms).unref();
}

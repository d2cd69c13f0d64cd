import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ActorCache } from './actor-cache.ts';
import { tokenOf } from './token-of.ts';

/** With the time that a token is remembered and the farewell less than five seconds. */
const every_ms = 2000;
/** How long a client may take to read what was on its way; then its connection is cut. */
const farewell_ms = 500;

interface Stream {
  readonly token: string;
  readonly reply: FastifyReply;
  readonly end: AbortController;
}

export interface StreamTokens {
  /** Aborts `end` when the token of the request is no longer good. */
  watch(reply: FastifyReply, end: AbortController): void;
}

/** Asks again and again whether the tokens of open streams are good: in whatever process they were revoked. */
export function watchStreamTokens(server: FastifyInstance, actors: ActorCache): StreamTokens {
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

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AssayError } from '#core';
import { roleReaches } from '#core/api';
import type { Actor } from '#service/operations';
import type { Access } from '../fastify-additions.ts';
import type { Limits, ServerOptions } from '../options.ts';
import { type ActorCache, createActorCache } from './actor-cache.ts';
import { tokenOf } from './token-of.ts';

/**
 * Looks at every request's token and role before its body is read. A good token counts against its own rate alone,
 * whoever else is behind its address. An address has a rate for what needs no token, and another for requests that show
 * no good one. That refuses no guess that is right: 32 random bytes are not guessed.
 */
export function checkAccess(
  server: FastifyInstance,
  limits: Limits,
  authenticate: ServerOptions['authenticate'],
): ActorCache {
  const cache = createActorCache(authenticate);
  const spend = rateLimits(server, limits);
  server.decorateRequest('actor', null);
  server.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config?.access;
    if (access === undefined || access.role === 'public')
      return access?.metered === false ? undefined : spend.ofAddress(request);
    request.actor = await actorOf(request, cache, spend);
    refuseLowRole(request.actor, access);
  });
  server.addHook('onResponse', async (request, reply) => {
    // Only admins change tokens, and whoever signs out; both are rare.
    const { id, role } = request.routeOptions.config?.access ?? {};
    if ((role === 'admin' || id === 'end_session') && request.method !== 'GET' && reply.statusCode < 300)
      cache.forget();
  });
  return cache;
}

async function actorOf(request: FastifyRequest, cache: ActorCache, spend: RateLimits): Promise<Actor> {
  const token = tokenOf(request);
  const actor = token === null ? null : (cache.seen(token) ?? (await cache.find(token)));
  if (actor === null) {
    await spend.ofStranger(request);
    throw unauthenticated(token);
  }
  await spend.ofToken(request, actor);
  return actor;
}

function unauthenticated(token: string | null): AssayError {
  return token === null
    ? new AssayError('unauthenticated', 'this needs a token', {
        advice: 'send the header Authorization: Bearer <token>',
      })
    : new AssayError('unauthenticated', 'the token is unknown, expired or revoked', {
        advice: 'ask an admin for a new token',
      });
}

function refuseLowRole({ role }: Actor, { role: required }: Access): void {
  if (required === 'public' || roleReaches(role, required)) return;
  throw new AssayError('forbidden', `this needs the role ${required}; the token has ${role}`, {
    advice: `ask an admin for a token with the role ${required}`,
    details: { required_role: required, role },
  });
}

interface RateLimits {
  ofToken(request: FastifyRequest, actor: Actor): Promise<void>;
  /** Of a request that needs no token. */
  ofAddress(request: FastifyRequest): Promise<void>;
  /** Of one that needs a token and shows no good one. */
  ofStranger(request: FastifyRequest): Promise<void>;
}

const minute_ms = 60_000;

/** Counts a request; throws `rate_limited` when the minute's are spent. */
function rateLimits(server: FastifyInstance, limits: Limits): RateLimits {
  const limit = (max: number, keyGenerator: (request: FastifyRequest) => string, whose: string) => {
    const count = server.createRateLimit({ max, timeWindow: minute_ms, keyGenerator });
    return async (request: FastifyRequest) => {
      const state = await count(request);
      if (state.isAllowed || !state.isExceeded) return;
      throw new AssayError('rate_limited', `${whose} may make ${state.max} requests a minute`, {
        advice: 'wait as long as Retry-After says',
        details: { retry_after_s: state.ttlInSeconds },
      });
    };
  };
  const { token_per_minute, address_per_minute } = limits;
  const ofToken = limit(token_per_minute, ({ actor }) => actor?.token_id ?? '', 'this token');
  return {
    ofToken: (request, actor) => {
      request.actor = actor;
      return ofToken(request);
    },
    ofAddress: limit(address_per_minute, ({ ip }) => ip, 'an address'),
    ofStranger: limit(address_per_minute, ({ ip }) => ip, 'an address without a good token'),
  };
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AssayError } from '#core';
import { roleReaches } from '#core/api';
import type { Actor } from '#service/operations';
import { type ActorCache, createActorCache } from './actor-cache.ts';
import type { Access } from './fastify-additions.ts';
import type { Limits, ServerOptions } from './options.ts';
import { readToken } from './request-identity.ts';

/**
 * Adds hooks to the server that authenticate every request, limit its rate and check its role before its body is read; returns
 * the cache of callers. Valid tokens have a rate limit of their own, independent of their address. Addresses have one limit
 * for public operations and another for requests without a valid token; that limit cannot block a correct guess, because
 * secrets have 32 random bytes.
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
      return access?.metered === false ? undefined : spend.countAddress(request);
    request.actor = await authenticateRequest(request, cache, spend);
    requireRequestRole(request.actor, access);
  });
  server.addHook('onResponse', async (request, reply) => {
    // Only admins and sign-outs change tokens; both are rare.
    const { id, role } = request.routeOptions.config?.access ?? {};
    if ((role === 'admin' || id === 'end_session') && request.method !== 'GET' && reply.statusCode < 300)
      cache.forget();
  });
  return cache;
}

async function authenticateRequest(
  request: FastifyRequest,
  cache: ActorCache,
  spend: RateLimits,
): Promise<Actor> {
  const token = readToken(request);
  const actor = token === null ? null : (cache.cached(token) ?? (await cache.find(token)));
  if (actor === null) {
    await spend.countUnauthenticated(request);
    throw unauthenticated(token);
  }
  await spend.countToken(request, actor);
  return actor;
}

function unauthenticated(token: string | null): AssayError {
  return token === null
    ? new AssayError('unauthenticated', 'this request requires a token', {
        advice: 'send the header Authorization: Bearer <token>',
      })
    : new AssayError('unauthenticated', 'the token is invalid, expired or revoked', {
        advice: 'ask an admin for a new token',
      });
}

function requireRequestRole({ role }: Actor, { role: required }: Access): void {
  if (required === 'public' || roleReaches(role, required)) return;
  throw new AssayError('forbidden', `this requires the ${required} role; the token has the ${role} role`, {
    advice: `ask an admin for a token with the role ${required}`,
    details: { required_role: required, role },
  });
}

interface RateLimits {
  countToken(request: FastifyRequest, actor: Actor): Promise<void>;
  /** Counts a request that needs no token. */
  countAddress(request: FastifyRequest): Promise<void>;
  /** Counts a request that needs a token but has no valid one. */
  countUnauthenticated(request: FastifyRequest): Promise<void>;
}

const minute_ms = 60_000;

/** Creates the rate limits; each throws `rate_limited` when the requests of the minute are used up. */
function rateLimits(server: FastifyInstance, limits: Limits): RateLimits {
  const limit = (max: number, keyGenerator: (request: FastifyRequest) => string, whose: string) => {
    const count = server.createRateLimit({ max, timeWindow: minute_ms, keyGenerator });
    return async (request: FastifyRequest) => {
      const state = await count(request);
      if (state.isAllowed || !state.isExceeded) return;
      throw new AssayError(
        'rate_limited',
        `rate limit of ${state.max} requests per minute exceeded for ${whose}`,
        {
          advice: 'wait for the time in Retry-After, then try again',
          details: { retry_after_s: state.ttlInSeconds },
        },
      );
    };
  };
  const { token_per_minute, address_per_minute } = limits;
  const ofToken = limit(token_per_minute, ({ actor }) => actor?.token_id ?? '', 'this token');
  return {
    countToken: (request, actor) => {
      request.actor = actor;
      return ofToken(request);
    },
    countAddress: limit(address_per_minute, ({ ip }) => ip, 'this client address'),
    countUnauthenticated: limit(
      address_per_minute,
      ({ ip }) => ip,
      'requests without a valid token from this client address',
    ),
  };
}

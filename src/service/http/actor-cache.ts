import { limitConcurrency, sha256 } from '#core';
import type { Actor } from '#service/operations';

/**
 * Cache lifetime in ms: until another process notices a revoked token. In this process a revocation takes effect at
 * once.
 */
const lifetime_ms = 2000;
const maxTokens = 1000;
/** Concurrent database lookups of tokens that were never valid. */
const maxConcurrentGuesses = 4;

/** Cache of authenticated tokens. */
export interface ActorCache {
  /** Returns the cached actor of a token; undefined if it is not cached. */
  cached(token: string): Actor | undefined;
  find(token: string): Promise<Actor | null>;
  /** Invalidates the cache after a change of tokens. */
  forget(): void;
}

interface CachedActor {
  readonly actor: Actor;
  readonly until_ms: number;
}

/**
 * Creates a cache of authenticated tokens that stores only their SHA-256. Tokens that were valid before are looked up
 * at once; lookups of others are limited, so a flood of guesses does not delay valid callers.
 */
export function createActorCache(authenticate: (token: string) => Promise<Actor | null>): ActorCache {
  const actors = new Map<string, CachedActor>();
  const lookUpUnknown = limitConcurrency(maxConcurrentGuesses);
  let generation = 0;
  return {
    cached: (token) => {
      const found = actors.get(sha256(token));
      return found !== undefined && found.until_ms > performance.now() ? found.actor : undefined;
    },
    find: async (token) => {
      const hash = sha256(token);
      const startGeneration = generation;
      const lookUp = () => authenticate(token);
      const actor = await (actors.has(hash) ? lookUp() : lookUpUnknown(lookUp));
      actors.delete(hash);
      if (actor === null) return null;
      for (const oldest of actors.keys()) {
        if (actors.size < maxTokens) break;
        actors.delete(oldest);
      }
      // A lookup that began before a change of tokens may be outdated.
      const until_ms = startGeneration === generation ? performance.now() + lifetime_ms : 0;
      actors.set(hash, { actor, until_ms });
      return actor;
    },
    forget: () => {
      generation++;
      for (const [hash, { actor }] of actors) actors.set(hash, { actor, until_ms: 0 });
    },
  };
}

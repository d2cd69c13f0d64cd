import { sha256 } from '#kernel';
import type { Actor } from '#services';

/** How long another process may take to hear of a revoked token; in this one it is heard of at once. */
const lifetime_ms = 5000;
const most = 1000;

export interface ActorCache {
  /** Without asking anybody. */
  seen(token: string): Actor | undefined;
  find(token: string): Promise<Actor | null>;
  /** After anything that may have changed tokens. */
  forget(): void;
}

/** Saves asking the database for every request of a busy token; keeps no token, only SHA-256. */
export function createActorCache(authenticate: (token: string) => Promise<Actor | null>): ActorCache {
  const kept = new Map<string, { readonly actor: Actor; readonly until_ms: number }>();
  let generation = 0;
  return {
    seen: (token) => {
      const found = kept.get(sha256(token));
      return found !== undefined && found.until_ms > performance.now() ? found.actor : undefined;
    },
    find: async (token) => {
      const before = generation;
      const actor = await authenticate(token);
      // What was looked up before tokens changed may no longer be so.
      if (actor === null || before !== generation) return actor;
      if (kept.size >= most) kept.clear();
      kept.set(sha256(token), { actor, until_ms: performance.now() + lifetime_ms });
      return actor;
    },
    forget: () => {
      generation++;
      kept.clear();
    },
  };
}

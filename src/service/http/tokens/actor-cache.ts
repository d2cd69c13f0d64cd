import { sha256 } from '#core';
import type { Actor } from '#service/operations';

/** How long another process may take to hear of a revoked token; in this one it is heard of at once. */
const lifetime_ms = 2000;
const most = 1000;
/** Guesses may keep so many connections to the database busy, and no more. */
const guessesAtOnce = 4;

export interface ActorCache {
  /** Without asking anybody. */
  seen(token: string): Actor | undefined;
  find(token: string): Promise<Actor | null>;
  /** After anything that may have changed tokens. */
  forget(): void;
}

interface Kept {
  readonly actor: Actor;
  readonly until_ms: number;
}

/**
 * Saves asking the database for every request of a busy token; keeps no token, only SHA-256. A token that was good once
 * is looked up at once; those never seen good wait for each other, so that a flood of guesses holds up nobody else.
 */
export function createActorCache(authenticate: (token: string) => Promise<Actor | null>): ActorCache {
  const kept = new Map<string, Kept>();
  const guess = inTurn(guessesAtOnce);
  let generation = 0;
  return {
    seen: (token) => {
      const found = kept.get(sha256(token));
      return found !== undefined && found.until_ms > performance.now() ? found.actor : undefined;
    },
    find: async (token) => {
      const hash = sha256(token);
      const before = generation;
      const lookUp = () => authenticate(token);
      const actor = await (kept.has(hash) ? lookUp() : guess(lookUp));
      kept.delete(hash);
      if (actor === null) return null;
      for (const oldest of kept.keys()) {
        if (kept.size < most) break;
        kept.delete(oldest);
      }
      // What was looked up before tokens changed may no longer be so.
      const until_ms = before === generation ? performance.now() + lifetime_ms : 0;
      kept.set(hash, { actor, until_ms });
      return actor;
    },
    forget: () => {
      generation++;
      for (const [hash, { actor }] of kept) kept.set(hash, { actor, until_ms: 0 });
    },
  };
}

/** Gives what does pieces of work, at most `most` of them at once; the others wait in the order in which they came. */
function inTurn(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free--;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

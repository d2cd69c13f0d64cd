import { AssayError } from '#core';
import type { Database } from '../database/database.ts';

/** Between looks at what other processes wrote; what this one writes is known at once. */
const look_ms = 500;
const held = 1000;

interface Place {
  /** Events after this one are wanted. */
  readonly after: number;
}

/** A table of events that is followed. */
export interface EventTable<Cursor extends Place, Row extends { readonly id: number }> {
  /** What happened after each cursor, in the order of ids, and whether there may be more at once. */
  read(
    database: Database,
    cursors: readonly Cursor[],
  ): Promise<{ readonly rows: readonly Row[]; readonly more: boolean }>;
  /** Whether a row is of what a cursor follows. */
  isOf(row: Row, cursor: Cursor): boolean;
}

interface Follower<Cursor, Row> {
  cursor: Cursor;
  readonly events: Row[];
  wake: () => void;
}

/** All streams of a process over one table look together, and only while there are any. */
class Followers<Cursor extends Place, Row extends { readonly id: number }> {
  readonly #database: Database;
  readonly #table: EventTable<Cursor, Row>;
  readonly #all = new Set<Follower<Cursor, Row>>();
  #looking = false;
  #wake: () => void = () => {};

  constructor(database: Database, table: EventTable<Cursor, Row>) {
    this.#database = database;
    this.#table = table;
  }

  wake(): void {
    this.#wake();
  }

  /** Events after `from`, in order, each once, until `signal`. */
  async *follow(from: Cursor, signal: AbortSignal): AsyncGenerator<Row> {
    const follower: Follower<Cursor, Row> = { cursor: from, events: [], wake: () => {} };
    const onAbort = () => follower.wake();
    signal.addEventListener('abort', onAbort);
    this.#all.add(follower);
    try {
      void this.#look();
      this.wake();
      while (!signal.aborted) {
        const event = follower.events.shift();
        if (event !== undefined) yield event;
        else {
          await new Promise<void>((resolve) => {
            follower.wake = resolve;
            if (follower.events.length > 0 || signal.aborted) resolve();
          });
        }
      }
    } finally {
      this.#all.delete(follower);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#all.size > 0) {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        // A database that does not answer is asked again; streams wait.
        const more = await this.#read().catch(() => false);
        if (more) continue;
        await Promise.race([woken, new Promise((resolve) => setTimeout(resolve, look_ms).unref())]);
      }
    } finally {
      this.#looking = false;
    }
  }

  /** Whether there may be more at once. */
  async #read(): Promise<boolean> {
    // Whoever does not take its events is not given more.
    const reading = [...this.#all].filter(({ events }) => events.length < held);
    if (reading.length === 0) return false;
    const cursors = [...new Map(reading.map(({ cursor }) => [JSON.stringify(cursor), cursor])).values()];
    const { rows, more } = await this.#table.read(this.#database, cursors);
    for (const follower of reading) {
      const { cursor } = follower;
      const own = rows.filter((row) => row.id > cursor.after && this.#table.isOf(row, cursor));
      const last = own.at(-1);
      if (last === undefined) continue;
      follower.cursor = { ...cursor, after: last.id };
      follower.events.push(...own);
      follower.wake();
    }
    return more;
  }
}

/** How a table of events is followed, and how its streams hear that there are new ones. */
export interface Following<Cursor, Row> {
  /** Events after a cursor, as they come, whichever process writes them, until `signal`. */
  follow(database: Database, from: Cursor, signal: AbortSignal): AsyncGenerator<Row>;
  /** Tells the streams of this process that there are new events. */
  wake(database: Database): void;
}

/** One look of a process for all streams over a table. */
export function createFollowing<Cursor extends Place, Row extends { readonly id: number }>(
  table: EventTable<Cursor, Row>,
): Following<Cursor, Row> {
  const all = new WeakMap<Database, Followers<Cursor, Row>>();
  return {
    follow: (database, from, signal) => {
      const own = all.get(database) ?? new Followers(database, table);
      all.set(database, own);
      return own.follow(from, signal);
    },
    wake: (database) => all.get(database)?.wake(),
  };
}

/** The place that a client sent as `Last-Event-ID`. Throws `invalid_request` for what no event has as its id. */
export function eventPlace(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AssayError('invalid_request', 'Last-Event-ID is not the id of an event', {
    advice: 'send the id of the last event that was received, or none',
    details: { errors: [{ pointer: '/headers/last-event-id', message: 'not the id of an event' }] },
  });
}

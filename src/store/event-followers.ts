import { AssayError } from '#core';
import type { Database } from './database/database.ts';

/** Interval in ms of polling for events of other processes; events of this process are delivered immediately. */
const pollInterval_ms = 500;
const maxPendingEvents = 1000;

interface EventPosition {
  /** Events after this id are read. */
  readonly after: number;
}

/** A table of events that can be streamed. */
export interface EventTable<Cursor extends EventPosition, Row extends { readonly id: number }> {
  /** Reads events after each cursor in the order of ids. `more` is true if there may be more immediately. */
  read(
    database: Database,
    cursors: readonly Cursor[],
  ): Promise<{ readonly rows: readonly Row[]; readonly more: boolean }>;
  /** Returns true if a row belongs to what a cursor follows. */
  matches(row: Row, cursor: Cursor): boolean;
}

interface Follower<Cursor, Row> {
  cursor: Cursor;
  readonly events: Row[];
  wake: () => void;
}

/** Polls a table for all event streams of this process together, as long as there are any. */
class EventPoller<Cursor extends EventPosition, Row extends { readonly id: number }> {
  readonly #database: Database;
  readonly #table: EventTable<Cursor, Row>;
  readonly #all = new Set<Follower<Cursor, Row>>();
  #isPolling = false;
  #wake: () => void = () => {};

  constructor(database: Database, table: EventTable<Cursor, Row>) {
    this.#database = database;
    this.#table = table;
  }

  wake(): void {
    this.#wake();
  }

  /** Yields events after `from` in order, each once, until `signal` aborts. */
  async *follow(from: Cursor, signal: AbortSignal): AsyncGenerator<Row> {
    const follower: Follower<Cursor, Row> = { cursor: from, events: [], wake: () => {} };
    const onAbort = () => follower.wake();
    signal.addEventListener('abort', onAbort);
    this.#all.add(follower);
    try {
      void this.#poll();
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

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      while (this.#all.size > 0) {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        // If the database does not answer, polling continues; streams wait.
        const more = await this.#read().catch(() => false);
        if (more) continue;
        await Promise.race([woken, new Promise((resolve) => setTimeout(resolve, pollInterval_ms).unref())]);
      }
    } finally {
      this.#isPolling = false;
    }
  }

  /** Reads new events for all streams. Returns true if there may be more immediately. */
  async #read(): Promise<boolean> {
    // Streams whose events are not consumed get no further ones.
    const reading = [...this.#all].filter(({ events }) => events.length < maxPendingEvents);
    if (reading.length === 0) return false;
    const cursors = [...new Map(reading.map(({ cursor }) => [JSON.stringify(cursor), cursor])).values()];
    const { rows, more } = await this.#table.read(this.#database, cursors);
    for (const follower of reading) {
      const { cursor } = follower;
      const matching = rows.filter((row) => row.id > cursor.after && this.#table.matches(row, cursor));
      const last = matching.at(-1);
      if (last === undefined) continue;
      follower.cursor = { ...cursor, after: last.id };
      follower.events.push(...matching);
      follower.wake();
    }
    return more;
  }
}

/** Event streams over a table. */
export interface EventStreams<Cursor, Row> {
  /** Yields events after a cursor as they are written by any process, until `signal` aborts. */
  follow(database: Database, from: Cursor, signal: AbortSignal): AsyncGenerator<Row>;
  /** Notifies the streams of this process of new events. */
  wake(database: Database): void;
}

/** Creates event streams over a table that share one poller per database. */
export function createEventStreams<Cursor extends EventPosition, Row extends { readonly id: number }>(
  table: EventTable<Cursor, Row>,
): EventStreams<Cursor, Row> {
  const all = new WeakMap<Database, EventPoller<Cursor, Row>>();
  return {
    follow: (database, from, signal) => {
      const poller = all.get(database) ?? new EventPoller(database, table);
      all.set(database, poller);
      return poller.follow(from, signal);
    },
    wake: (database) => all.get(database)?.wake(),
  };
}

/** Parses the `Last-Event-ID` header of a client. Throws `invalid_request` if it is not an event id. */
export function parseEventId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AssayError('invalid_request', 'invalid Last-Event-ID', {
    advice: 'send the id of the last event received, or omit the header',
    details: { errors: [{ pointer: '/headers/last-event-id', message: 'must be the id of an event' }] },
  });
}

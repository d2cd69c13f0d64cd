import { type Database, type EventCursor, type RunEventRow, runEventRows } from '#store';

/** Between looks at what other processes wrote; what this one writes is known at once. */
const look_ms = 500;
const held = 1000;

interface Follower {
  cursor: EventCursor;
  readonly events: RunEventRow[];
  wake: () => void;
}

/** All streams of a process over one database look together, and only while there are any. */
class Followers {
  readonly #database: Database;
  readonly #all = new Set<Follower>();
  #looking = false;
  #wake: () => void = () => {};

  constructor(database: Database) {
    this.#database = database;
  }

  wake(): void {
    this.#wake();
  }

  /** Events of a run after `after`, in order, each once, until `signal`. */
  async *follow(from: EventCursor, signal: AbortSignal): AsyncGenerator<RunEventRow> {
    const follower: Follower = { cursor: from, events: [], wake: () => {} };
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
    const rows = await runEventRows.readRunEvents(this.#database, cursors);
    for (const follower of reading) {
      const { run_id, tenant_id, after } = follower.cursor;
      const own = rows.filter(
        (row) => row.run_id === run_id && row.tenant_id === tenant_id && row.id > after,
      );
      const last = own.at(-1);
      if (last === undefined) continue;
      follower.cursor = { ...follower.cursor, after: last.id };
      follower.events.push(...own);
      follower.wake();
    }
    return rows.length === runEventRows.eventsAtOnce;
  }
}

const followers = new WeakMap<Database, Followers>();

function followersOf(database: Database): Followers {
  let own = followers.get(database);
  if (own === undefined) {
    own = new Followers(database);
    followers.set(database, own);
  }
  return own;
}

/** Tells the streams of this process that there are new events. */
export function wakeFollowers(database: Database): void {
  followers.get(database)?.wake();
}

/** Events of a run after a cursor, as they come, whichever process writes them. */
export function followEvents(
  database: Database,
  from: EventCursor,
  signal: AbortSignal,
): AsyncGenerator<RunEventRow> {
  return followersOf(database).follow(from, signal);
}

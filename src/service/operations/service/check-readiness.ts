import { AssayError, type ErrorCode } from '#core';
import type { Readiness } from '#core/api';
import { demandRoom, type Store } from '#store';

/** Longer than a healthy part ever takes, shorter than machines wait for an answer. */
const patience_ms = 4000;
/** Many may ask; the parts are asked once a second at most. */
const lifetime_ms = 1000;

interface Asked {
  readonly at_ms: number;
  readonly readiness: Promise<Readiness>;
}
const asked = new WeakMap<Store, Asked>();

/**
 * Asks database, blob store, data folder and queue. Throws `database_unavailable` or `storage_unavailable` for what does
 * not answer, or not within seconds, and for a full disk.
 */
export async function checkReadiness(store: Store): Promise<Readiness> {
  const last = asked.get(store);
  const now_ms = performance.now();
  if (last !== undefined && now_ms - last.at_ms < lifetime_ms) return last.readiness;
  const readiness = askAll(store);
  asked.set(store, { at_ms: now_ms, readiness });
  return readiness;
}

async function askAll({ database, blobs, queue, data_folder }: Store): Promise<Readiness> {
  await Promise.all([
    inTime(database.query('SELECT 1'), 'database_unavailable', 'the database'),
    inTime(blobs.probe(), 'storage_unavailable', 'the blob store'),
    inTime(demandRoom(data_folder), 'storage_unavailable', 'the disk of the data folder'),
    inTime(queue.probe(), 'database_unavailable', 'the queue'),
  ]);
  return { status: 'ready', database: database.kind };
}

async function inTime(probe: Promise<unknown>, code: ErrorCode, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new AssayError(code, `${what} has not answered for ${patience_ms} ms`)),
      patience_ms,
    );
  });
  await Promise.race([probe, late]).finally(() => clearTimeout(timer));
}

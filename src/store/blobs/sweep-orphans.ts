import type { Blobs } from './blobs.ts';

export interface Sweep {
  readonly prefix: string;
  /** Blobs written later are left alone: the row that names them may not be committed yet. */
  readonly written_before: Date;
  /** Of these keys, those that some row names. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

const askedAtOnce = 500;

/** Deletes blobs that no row names, left by work that was killed between its blob and its commit; answers how many. */
export async function sweepOrphans(blobs: Blobs, sweep: Sweep): Promise<number> {
  let removed = 0;
  let asked: string[] = [];
  const settle = async (): Promise<void> => {
    const known = await sweep.known(asked);
    const orphans = asked.filter((key) => !known.has(key));
    if (orphans.length > 0) await blobs.delete(orphans);
    removed += orphans.length;
    asked = [];
  };
  for await (const { key, written_at } of blobs.list(sweep.prefix)) {
    if (written_at >= sweep.written_before) continue;
    asked.push(key);
    if (asked.length === askedAtOnce) await settle();
  }
  if (asked.length > 0) await settle();
  return removed;
}

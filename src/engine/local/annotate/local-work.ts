import type { WorkThreads } from '../../durable/threads/work-threads.ts';
import type { ProgressMeter } from '../progress.ts';

/** What annotating in memory works with. */
export interface LocalWork {
  readonly threads: WorkThreads;
  readonly meter: ProgressMeter;
  readonly signal: AbortSignal;
  /** Units, or episodes, that a thread takes at once. */
  readonly at_once: number;
}

/** Cuts work into ranges, and does as many at once as there are threads. Throws the first fault, once nothing is begun any more. */
export async function byRanges<T>(
  all: readonly T[],
  { threads, at_once }: Pick<LocalWork, 'threads' | 'at_once'>,
  work: (range: readonly T[]) => Promise<void>,
): Promise<void> {
  let next = 0;
  const take = async () => {
    while (next < all.length) {
      const from = next;
      next += at_once;
      await work(all.slice(from, from + at_once)).catch((thrown) => {
        next = all.length;
        throw thrown;
      });
    }
  };
  await Promise.all(Array.from({ length: threads.threads }, take));
}

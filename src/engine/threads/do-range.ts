import { limits } from '#core';
import type { Places, RunError } from '#store';
import type { WorkerLost } from '../workers/worker-thread.ts';
import { ThreadLost } from './step-thread.ts';

/** Number of process crashes, the last one alone, after which an item is given up. */
const maxCrashes = limits.workers.deaths.value;

/** Returns the error of an episode that annotation gave up. */
export const abandonedEpisode = (why: string): RunError => ({
  code: 'limit_exceeded',
  message: `skipped: annotation failed: ${why}`,
  path: null,
  advice: 'check this episode; the other episodes were annotated',
});

/** Returns the positions that an inclusive range or a list names, in order. */
export const listPlaces = (places: Places): readonly number[] =>
  'places' in places
    ? places.places
    : Array.from({ length: places.to - places.from + 1 }, (_, at) => places.from + at);

/** A step that works place by place: units of a run, or episodes of a job. */
export interface RangeStep {
  /** Batch size when retrying places after a process crashed on one of them. */
  readonly retryBatch: number;
  /** Returns the remaining places of the range, in order, with their crash counts. */
  listOpen(range: Places): Promise<readonly { readonly place: number; readonly deaths: number }[]>;
  /** Claims and processes the remaining places of the range. `suspect`: a crash counts against each of them. */
  attempt(range: Places, suspect: boolean): Promise<void>;
  /** Records places as failed; the others are still processed. */
  giveUp(range: Places, why: string): Promise<void>;
}

/**
 * Attempts a range of items at once; on a retry after a crash, what remains of it in small batches, and items of a crashed
 * batch alone, so that only the item at fault is given up.
 */
export async function doRange(step: RangeStep, range: Places, isRetry: boolean): Promise<void> {
  if (!isRetry) return attemptRange(step, range, false);
  for (const { places, deaths } of groupSuspects(await step.listOpen(range), step.retryBatch)) {
    if (deaths < maxCrashes) await attemptRange(step, { places }, true);
    else await step.giveUp({ places }, 'crashed the process on every attempt');
  }
}

/** The rule for work whose thread was lost: it is tried once more, if it may succeed in another thread. */
export class RetryOnce<Work> {
  readonly #retried = new Set<Work>();

  /**
   * Returns true if lost work may be tried again: at the first call for it, and only if the loss is retryable; false: it is
   * given up.
   */
  allows(work: Work, { retryable }: WorkerLost): boolean {
    if (!retryable || this.#retried.has(work)) return false;
    this.#retried.add(work);
    return true;
  }
}

/** Retries after a lost thread, and gives up the place at which it happens twice. */
async function attemptRange(step: RangeStep, range: Places, suspect: boolean): Promise<void> {
  const retry = new RetryOnce<number>();
  for (;;) {
    try {
      return await step.attempt(range, suspect);
    } catch (thrown) {
      if (!(thrown instanceof ThreadLost) || thrown.place === null) throw thrown;
      if (!retry.allows(thrown.place, thrown)) await step.giveUp({ places: [thrown.place] }, thrown.message);
    }
  }
}

interface SuspectGroup {
  readonly places: number[];
  readonly deaths: number;
}

function groupSuspects(
  open: Awaited<ReturnType<RangeStep['listOpen']>>,
  together: number,
): readonly SuspectGroup[] {
  const groups: SuspectGroup[] = [];
  for (const { place, deaths } of open) {
    const last = groups.at(-1);
    if (deaths === 0 && last?.deaths === 0 && last.places.length < together) last.places.push(place);
    else groups.push({ places: [place], deaths });
  }
  return groups;
}

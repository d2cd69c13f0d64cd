import type { OpenDataset } from '#formats';
import { conclude } from './conclude.ts';
import type { Hand } from './hand.ts';
import type { WorkerStart } from './messages.ts';
import { Workshop, type WorkshopHooks } from './workshop.ts';

/** Works in the calling thread, for recordings too small to pay for threads. */
export function createInlineHand(
  start: WorkerStart,
  openSpool: () => number,
  hooks: WorkshopHooks,
  opened: readonly OpenDataset[],
): Hand {
  const workshop = new Workshop(start, openSpool, hooks);
  opened.forEach((dataset, index) => {
    workshop.lend(index, dataset);
  });
  let current: Promise<unknown> = Promise.resolve();
  const track = <T>(work: Promise<T>): Promise<T> => {
    current = work.catch(() => {});
    return work;
  };
  return {
    measure: (task) => track(workshop.measure(task)),
    // A turn of the event loop between units lets signals and progress through.
    compare: (task) => track(new Promise(setImmediate).then(() => conclude(task))),
    judge: (task) => track(new Promise(setImmediate).then(() => workshop.judge(task))),
    stop: async () => {
      await workshop.close();
      await current;
    },
  };
}

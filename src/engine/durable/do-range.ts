import { limits } from '#core';
import type { Places } from '#store';
import { ThreadLost } from './threads/work-thread.ts';

/** A place under which so many processes died, the last time alone, is given up. */
const mostDeaths = limits.workers.deaths.value;

/** A step that is done place by place: units of a run, episodes of a job. */
export interface RangeStep {
  /** Places that are tried together after a process has died of some of them. */
  readonly together: number;
  /** Places of the range that are still to be done, in order, with the processes that died of each. */
  open(range: Places): Promise<readonly { readonly place: number; readonly deaths: number }[]>;
  /** Takes what is still to be done of the range, and does it. `suspect`: until it is over it counts as a death of each. */
  attempt(range: Places, suspect: boolean): Promise<void>;
  /** Writes places down as not done; the others are done still. */
  giveUp(range: Places, why: string): Promise<void>;
}

/**
 * Does what is left of a range. `again`: a process died under it before; then few places are tried together, and alone
 * those under which a process died in such company, so that the one to blame is found and the others are not given up
 * with it.
 */
export async function doRange(step: RangeStep, range: Places, again: boolean): Promise<void> {
  if (!again) return attempts(step, range, false);
  for (const { places, deaths } of suspectsOf(await step.open(range), step.together)) {
    if (deaths < mostDeaths) await attempts(step, { places }, true);
    else await step.giveUp({ places }, 'took its process with it each time that it was tried');
  }
}

/** Again where a thread was lost, without the place at which that came twice. */
async function attempts(step: RangeStep, range: Places, suspect: boolean): Promise<void> {
  const tried = new Set<number>();
  for (;;) {
    try {
      return await step.attempt(range, suspect);
    } catch (thrown) {
      if (!(thrown instanceof ThreadLost) || thrown.place === null) throw thrown;
      if (!thrown.again || tried.has(thrown.place))
        await step.giveUp({ places: [thrown.place] }, thrown.message);
      tried.add(thrown.place);
    }
  }
}

interface Suspects {
  readonly places: number[];
  readonly deaths: number;
}

function suspectsOf(open: Awaited<ReturnType<RangeStep['open']>>, together: number): readonly Suspects[] {
  const groups: Suspects[] = [];
  for (const { place, deaths } of open) {
    const last = groups.at(-1);
    if (deaths === 0 && last?.deaths === 0 && last.places.length < together) last.places.push(place);
    else groups.push({ places: [place], deaths });
  }
  return groups;
}

import { expect, it } from 'vitest';
import type { Places } from '#store';
import { doRange, listPlaces, type RangeStep } from './do-range.ts';
import { ThreadLost } from './step-thread.ts';

/** A step over places 0 to 5; `lose` names how often the thread is lost at a place, and whether for good. */
function createStep(lose: Readonly<Record<number, { times: number; retryable: boolean }>>, deaths = 0) {
  const done: number[] = [];
  const gone: (readonly [place: number, why: string])[] = [];
  const batches: number[] = [];
  const losses = new Map<number, number>();
  const isOpen = (place: number) => !done.includes(place) && gone.every(([other]) => other !== place);
  const step: RangeStep = {
    retryBatch: 2,
    listOpen: async (range) =>
      listPlaces(range)
        .filter(isOpen)
        .map((place) => ({ place, deaths: place === 2 ? deaths : 0 })),
    attempt: async (range) => {
      const places = listPlaces(range).filter(isOpen);
      batches.push(places.length);
      for (const place of places) {
        const lost = losses.get(place) ?? 0;
        if (lost < (lose[place]?.times ?? 0)) {
          losses.set(place, lost + 1);
          throw new ThreadLost(`was lost at ${place}`, place, lose[place].retryable);
        }
        done.push(place);
      }
    },
    giveUp: async (range: Places, why) => {
      for (const place of listPlaces(range)) gone.push([place, why]);
    },
  };
  return { step, done, gone, batches };
}

const range = { from: 0, to: 5 };

it('a range includes its last place', () => {
  expect(listPlaces({ from: 3, to: 5 })).toEqual([3, 4, 5]);
  expect(listPlaces({ places: [7, 2] })).toEqual([7, 2]);
});

it('a place whose thread is lost once is done by another thread', async () => {
  const { step, done, gone } = createStep({ 3: { times: 1, retryable: true } });
  await doRange(step, range, false);
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  expect(gone).toEqual([]);
});

it.each([
  { times: 2, retryable: true },
  { times: 1, retryable: false },
])('a place is given up after %j, and the others are done once', async (losses) => {
  const { step, done, gone } = createStep({ 3: losses });
  await doRange(step, range, false);
  expect(done).toEqual([0, 1, 2, 4, 5]);
  expect(gone).toEqual([[3, 'was lost at 3']]);
});

it('after a crash of the process places are tried in small batches, and a suspect alone', async () => {
  const { step, done, batches } = createStep({}, 1);
  await doRange(step, range, true);
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  expect(batches).toEqual([2, 1, 2, 1]);
});

it('a place that crashed every process is given up', async () => {
  const { step, done, gone } = createStep({}, 3);
  await doRange(step, range, true);
  expect(done).toEqual([0, 1, 3, 4, 5]);
  expect(gone).toEqual([[2, 'crashed the process on every attempt']]);
});

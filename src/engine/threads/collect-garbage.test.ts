import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { collectGarbage } from './work-threads.ts';

const young_bytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.physical_space_size;

/** Survivors of many collections make V8 take more room for young objects. */
function work(): number {
  let kept: object[] = [];
  for (let round = 0; round < 40; round++) {
    kept = [];
    for (let at = 0; at < 200_000; at++) kept.push({ at });
  }
  return kept.length;
}

it('collecting garbage gives back the room that V8 keeps for young objects', async () => {
  work();
  const before = young_bytes();
  await collectGarbage();
  expect(before).toBeGreaterThan(8e6);
  expect(young_bytes()).toBeLessThan(before / 4);
});

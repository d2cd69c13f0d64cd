import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limitConcurrency } from './limit-concurrency.ts';

test('no more run at once than allowed, all are done, and a failure frees its turn', async () => {
  const inTurn = limitConcurrency(3);
  let running = 0;
  let most = 0;
  const work = (index: number) =>
    inTurn(async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(1 + (index % 3));
      running -= 1;
      if (index % 4 === 0) throw new Error('on purpose');
      return index;
    });
  const done = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => work(index)));
  expect(most).toBe(3);
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
  expect(await work(1)).toBe(1);
});

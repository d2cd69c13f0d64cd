import { expect, it } from 'vitest';
import { toJson } from '#core';
import type { RunBrief } from './messages.ts';
import { OpenRun } from './open-run.ts';

it('that is stopped ends its decoders at once, not after the pictures that they are at', async () => {
  const run = {
    ...{ key: 'run', datasets: toJson([]), recordings: '', settings: {}, kind: null },
    ...{ episodes_expected: 0, media_children: 1 },
  } as unknown as RunBrief;
  const openRun = new OpenRun(run, [], { onProgress: () => {} });
  const pipeline = openRun.pipeline(() => undefined);
  let closed = 0;
  pipeline.close = async () => {
    closed++;
  };
  openRun.abort();
  expect(closed).toBe(1);
  await openRun.close();
  expect(closed).toBe(1);
});

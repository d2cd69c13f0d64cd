import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { WorkerThread } from './worker-thread.ts';

const deaf = `require('node:worker_threads').parentPort.once('message', () => { for (;;); });`;

it('a request that is stopped is let go of before a thread that hears nothing has ended', async () => {
  const worker = new Worker(deaf, { eval: true });
  const thread = new WorkerThread<string, string>(worker);
  let gone = false;
  void thread.exited.then(() => {
    gone = true;
  });
  const abort = new AbortController();
  const asked = thread.do('compute', { signal: abort.signal });
  abort.abort();
  await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  expect(gone).toBe(false);
  await worker.terminate();
  await thread.exited;
});

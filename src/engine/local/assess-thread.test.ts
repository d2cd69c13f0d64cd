import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { Task } from '../steps/tasks.ts';
import type { WorkerLimits } from '../workers/worker-watch.ts';
import { AssessThread, lookInThread } from './assess-thread.ts';
import { Dispatcher } from './dispatcher.ts';

const program = new URL('../../../test/support/bad-reading-thread.ts', import.meta.url);
const started: Worker[] = [];
afterEach(() => Promise.all(started.splice(0).map((worker) => worker.terminate())));

function startThread(): Worker {
  const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: 64 } });
  worker.on('error', () => {});
  started.push(worker);
  return worker;
}

async function endThread(worker: Worker): Promise<void> {
  await worker.terminate();
}

const threads = { take: startThread, release: endThread };

const limits: WorkerLimits = { cpu_s: 20, idle_s: 60, memory_mb: 1e6 };
const hooks = { onProgress: () => {} };

function task(place: number, selector: string): Task {
  const unit = { id: `unit-${place}`, expected_episodes: 1, first_index: place, bytes: 1, selector };
  return { place, dataset: 0, unit };
}

/** What is said of a unit whose reading does `selector`. */
async function lossOf(selector: string, own: Partial<WorkerLimits> = {}): Promise<string> {
  const dispatcher = new Dispatcher(
    1,
    () => new AssessThread(threads, { ...hooks, limits: { ...limits, ...own } }),
  );
  await dispatcher.measure([task(0, selector)], () => {});
  await dispatcher.stop();
  expect(dispatcher.failed).toEqual([]);
  expect(dispatcher.unfinished.map(({ incomplete }) => incomplete.path)).toEqual(['unit-0']);
  return dispatcher.unfinished[0].incomplete.reason;
}

describe('a unit whose reading', () => {
  it('computes without end is given up', async () => {
    expect(await lossOf('loop', { cpu_s: 0.5 })).toContain('made no progress in 0.5 s of CPU time');
  });

  it('waits for ever is given up', async () => {
    expect(await lossOf('wait', { idle_s: 1 })).toContain('made no progress for 1 s');
  });

  it('fills the heap is given up', async () => {
    expect(await lossOf('heap')).toMatch(/memory/i);
  });

  it('fills the memory with arrays, which are outside the heap, is given up', async () => {
    const memory_mb = process.memoryUsage.rss() / 2 ** 20 + 400;
    expect(await lossOf('arrays', { memory_mb })).toMatch(/used \d+ MB of memory/);
  });

  it('ends the thread is given up', async () => {
    expect(await lossOf('die')).toContain('exited with code 7');
  });
});

describe('looking', () => {
  it('goes on without a dataset that ended its thread as it was opened', async () => {
    const own = { ...hooks, limits: { ...limits, cpu_s: 0.5 } };
    const { datasets: seen, worker } = await lookInThread('somewhere', threads, own);
    expect(seen.found).toEqual([]);
    expect(started).toHaveLength(2);
    await worker.stop();
  });

  it('ends when it is cancelled', async () => {
    const abort = new AbortController();
    const looking = lookInThread('somewhere', threads, { ...hooks, limits }, abort);
    setTimeout(() => abort.abort(), 200);
    await expect(looking).rejects.toThrow('abort');
  });
});

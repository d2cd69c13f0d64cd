import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { toJson } from '#core';
import type { WorkerLimits } from '../workers/worker-watch.ts';
import { askThread, ThreadPool } from './path-threads.ts';
import { ThreadLost } from './step-thread.ts';
import { WorkThreads } from './work-threads.ts';

const program = new URL('../../../test/support/bad-thread.ts', import.meta.url);
const started: Worker[] = [];
afterEach(() => Promise.all(started.splice(0).map((worker) => worker.terminate())));

function start(): Worker {
  const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: 64 } });
  started.push(worker);
  return worker;
}

const limits: WorkerLimits = { cpu_s: 20, idle_s: 60, memory_mb: 1e6 };
const threadsWith = (own: Partial<WorkerLimits>) => new ThreadPool({ start, limits: { ...limits, ...own } });

/** How measuring a unit ends whose reading does `selector`. */
async function measureUnit(selector: string, own: Partial<WorkerLimits> = {}): Promise<ThreadLost> {
  const thread = threadsWith(own).take();
  const unit = { id: 'unit', expected_episodes: 1, first_index: 0, bytes: 1, selector };
  const units = toJson([{ place: 3, dataset: 0, attempt: 0, unit }]);
  const lost = await thread
    .do({ type: 'measure', run: { key: 'run' }, units }, {})
    .catch((thrown: unknown) => thrown);
  expect(lost).toBeInstanceOf(ThreadLost);
  expect(thread.lost).toBe(true);
  return lost as ThreadLost;
}

describe('a unit whose reading', () => {
  it('computes without end loses its thread, at its place and for good', async () => {
    const { message, place, retryable } = await measureUnit('loop', { cpu_s: 0.5 });
    expect(message).toContain('made no progress in 0.5 s of CPU time');
    expect({ place, retryable }).toEqual({ place: 3, retryable: false });
  });

  it('waits for ever loses its thread', async () => {
    expect((await measureUnit('wait', { idle_s: 1 })).message).toContain('made no progress for 1 s');
  });

  it('fills the heap loses its thread', async () => {
    expect((await measureUnit('heap')).message).toMatch(/memory/i);
  });

  it('fills the memory with arrays, which are outside the heap, loses its thread but may be tried again', async () => {
    const memory_mb = process.memoryUsage.rss() / 2 ** 20 + 400;
    const { message, retryable } = await measureUnit('arrays', { memory_mb });
    expect(message).toMatch(/used \d+ MB of memory/);
    expect(retryable).toBe(true);
  });

  it('ends the thread is reported with the exit code', async () => {
    expect((await measureUnit('die')).message).toContain('exited with code 7');
  });
});

describe('finding datasets', () => {
  const request = { type: 'find', recordings: 'somewhere' } as const;

  it('goes on without a dataset that ended its thread as it was opened', async () => {
    const { answer } = await askThread(request, threadsWith({ cpu_s: 0.5 }), {});
    expect(answer.found).toEqual([]);
    expect(started).toHaveLength(2);
  });

  it('ends when it is cancelled', async () => {
    const abort = new AbortController();
    const finding = askThread(request, threadsWith({}), {}, abort.signal);
    setTimeout(() => abort.abort(), 200);
    await expect(finding).rejects.toThrow('abort');
  });
});

it('a thread with a blob store removes its private folder when it ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-work-threads-'));
  const threads = new WorkThreads({
    blobs: { kind: 'folder', folder: join(folder, 'blobs') },
    ...{ scratch: join(folder, 'scratch'), threads: 1, patience_ms: 0, model_sockets: [] },
  });
  threads.prepare();
  expect(existsSync(join(folder, 'scratch/thread-0'))).toBe(true);
  await threads.close();
  expect(existsSync(join(folder, 'scratch/thread-0'))).toBe(false);
  rmSync(folder, { recursive: true });
});

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { StepRequest } from '../../steps/messages.ts';
import type { WorkerLimits } from '../../workers/worker-watch.ts';
import { ThreadLost, WorkThread } from './work-threads.ts';

const program = new URL('../../../../test/support/bad-run-thread.ts', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'assay-work-thread-'));
afterAll(() => rmSync(folder, { recursive: true }));

const limits: WorkerLimits = { cpu_s: 20, idle_s: 60, memory_mb: 1e6 };

/** How a request ended that misbehaves so; `key` is where the fake thread reads it. */
async function lossOf(key: string, own: Partial<WorkerLimits>): Promise<ThreadLost> {
  const scratch = join(folder, key);
  const start = {
    blobs: { kind: 'folder', folder: join(folder, 'blobs') },
    scratch,
    patience_ms: 0,
    model_socket: null,
  } as const;
  const thread = new WorkThread(start, { program, limits: { ...limits, ...own } });
  const request: StepRequest = { type: 'look', recordings: { kind: 'folder', path: folder }, key };
  const lost = await thread.do(request, {}).catch((thrown: unknown) => thrown);
  expect(lost).toBeInstanceOf(ThreadLost);
  expect(thread.lost).toBe(true);
  await thread.end();
  expect(existsSync(scratch)).toBe(false);
  return lost as ThreadLost;
}

describe('a request that', () => {
  it('computes without end ends with the unit it was at', async () => {
    const { message, place } = await lossOf('loop', { cpu_s: 0.5 });
    expect(message).toContain('made no progress in 0.5 s of CPU time');
    expect(place).toBe(3);
  });

  it('waits for ever ends', async () => {
    expect((await lossOf('wait', { idle_s: 1 })).message).toContain('made no progress for 1 s');
  });

  it('fills the memory with arrays ends', async () => {
    const memory_mb = process.memoryUsage.rss() / 2 ** 20 + 400;
    expect((await lossOf('arrays', { memory_mb })).message).toMatch(/used \d+ MB of memory/);
  });
});

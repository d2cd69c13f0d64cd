import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Stream } from '#core/episode';
import { openShard } from '#store/blobs';
import { type ReaderLimits, ReaderThreads } from './reader-threads.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-test-readers-'));
const shard = { path: join(folder, 'a.parquet'), place: 0 };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const limits: ReaderLimits = { threads: 1, maxWaiting: 4, time_limit_ms: 30_000 };
let threads: ReaderThreads;
const open = (more: Partial<ReaderLimits> = {}) => {
  threads = new ReaderThreads({ ...limits, ...more });
  return threads;
};
afterEach(() => threads.close());

async function writeShard(rows: number): Promise<void> {
  const values = Float32Array.from({ length: rows }, (_, row) => row % 100);
  const time_s = Float64Array.from({ length: rows }, (_, row) => row / 100);
  const stream: Stream = {
    id: 'state',
    role: 'state',
    modality: 'numeric',
    shape: [1],
    names: ['joint'],
    unit: { unit: 'rad', evidence: 'declared', reason: 'said so' },
    declared_rate_hz: 100,
    sample_count: rows,
    clocks: [{ name: 'timestamp', provenance: 'log', time_s }],
    clock: { index: 0, reason: 'the only one' },
    series: { values, dims: 1 },
  };
  const writer = await openShard(shard.path);
  await writer.add('one', [stream]);
  await writer.close();
}

const task = (more: object = {}) => ({
  ...{
    type: 'stream' as const,
    shard,
    stream_id: 'state',
    from: null,
    to: null,
    columns: 10,
    dimensions: null,
  },
  ...more,
});

describe('reading threads', () => {
  it('answer in the order of asking, however many ask', async () => {
    await writeShard(1000);
    const reading = open();
    const answers = await Promise.all([1, 2, 3].map((columns) => reading.do(task({ columns }))));
    const read = answers.map((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
    expect(read.map(({ at }) => at.length)).toEqual([1, 2, 3]);
    expect(read[0]).toMatchObject({
      axis: 'time_s',
      rows: 1000,
      dimensions: [{ name: 'joint', min: [0], max: [99] }],
    });
  });

  it('hand on what a task failed with, and go on', async () => {
    await writeShard(10);
    const reading = open();
    await expect(reading.do(task({ stream_id: 'nothing' }))).rejects.toMatchObject({ code: 'not_found' });
    writeFileSync(join(folder, 'b.parquet'), 'no shard');
    const broken = task({ shard: { path: join(folder, 'b.parquet'), place: 0 } });
    await expect(reading.do(broken)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(reading.do(task())).resolves.toBeInstanceOf(Uint8Array);
  });

  it('refuse what would wait too long, and say when to come again', async () => {
    await writeShard(10);
    const reading = open({ maxWaiting: 2 });
    const asked = Array.from({ length: 6 }, () =>
      reading.do(task()).then(
        () => 'read',
        (thrown) => thrown,
      ),
    );
    const answers = await Promise.all(asked);
    const refused = answers.filter((answer) => answer !== 'read');
    expect(refused.length).toBeGreaterThan(0);
    for (const one of refused) expect(one).toMatchObject({ code: 'busy', details: { retry_after_s: 1 } });
    await expect(reading.do(task())).resolves.toBeInstanceOf(Uint8Array);
  });

  it('end a task that takes too long, and start anew for the next', async () => {
    await writeShard(3_000_000);
    const slow = open({ time_limit_ms: 1 });
    await expect(slow.do(task())).rejects.toMatchObject({ code: 'limit_exceeded' });
    await slow.close();
    await expect(open().do(task())).resolves.toBeInstanceOf(Uint8Array);
  });

  it('end with the service: who waits is told', async () => {
    await writeShard(1_000_000);
    const reading = open();
    const waiting = [reading.do(task()), reading.do(task())].map((one) => one.catch((thrown) => thrown.code));
    await reading.close();
    expect(await Promise.all(waiting)).toEqual(['cancelled', 'cancelled']);
    await expect(reading.do(task())).rejects.toMatchObject({ code: 'cancelled' });
  });
});

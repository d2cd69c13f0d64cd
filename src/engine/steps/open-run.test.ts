import { describe, expect, it } from 'vitest';
import { AssayError, toJson } from '#core';
import { measureUnits, ReturnedUnits } from './measure/measure-units.ts';
import type { ThreadContext } from './messages.ts';
import { OpenRun } from './open-run.ts';
import type { WorkerStart } from './tasks.ts';

const start = {
  options: { settings: {}, media_children: 1, spool_bytes: 1 },
  datasets: [],
  spools: [-1, -1, -1],
} as unknown as WorkerStart;
const openRun = () => new OpenRun('run', start, [], { onProgress: () => {} });

it('a run that is stopped ends its decoders at once, not after the pictures that they are at', async () => {
  const run = openRun();
  const pipeline = run.pipeline(null);
  let closed = 0;
  pipeline.close = async () => {
    closed++;
  };
  run.abort();
  expect(closed).toBe(1);
  await run.close();
  expect(closed).toBe(1);
});

describe('measuring units', () => {
  /** Measures two units, of which reading the first throws. */
  async function measure(thrown: Error, signal = new AbortController().signal) {
    const run = openRun();
    run.pipeline(null).measure = async ({ place }) => {
      if (place === 0) throw thrown;
      return { place } as never;
    };
    const unit = { id: 'file', expected_episodes: 2, first_index: 0, bytes: 1, selector: null };
    const units = [0, 1].map((place) => ({ place, dataset: 0, attempt: 0, unit }));
    const context = { signal, begin: () => {} } as unknown as ThreadContext;
    return measureUnits(toJson(units), run, new ReturnedUnits(), context);
  }

  it('turns one that cannot be read into a finding and goes on', async () => {
    const damaged = { path: 'b.parquet', place: 'byte 12' };
    const outcomes = await measure(new AssayError('unreadable_input', 'the footer is damaged', damaged));
    expect(outcomes).toMatchObject([
      {
        state: 'unreadable',
        finding: { path: 'b.parquet', message: 'the footer is damaged (at byte 12)' },
      },
      { state: 'measured' },
    ]);
  });

  it('says which one this machine could not measure and goes on', async () => {
    const outcomes = await measure(new AssayError('unfinished', 'a decoder did not answer'));
    expect(outcomes).toMatchObject([
      { state: 'unfinished', incomplete: { path: 'file', reason: 'a decoder did not answer' } },
      { state: 'measured' },
    ]);
  });

  it('ends at once when there is no room for output', async () => {
    const full = new AssayError('output_unwritable', 'no space left');
    await expect(measure(full)).rejects.toBe(full);
  });

  it('blames no unit for what fails after it was stopped', async () => {
    const abort = new AbortController();
    const failing = new AssayError('unreadable_input', 'the query was interrupted');
    const measuring = measure(failing, abort.signal);
    abort.abort(new AssayError('cancelled', 'stopped'));
    await expect(measuring).rejects.toMatchObject({ code: 'cancelled' });
  });
});

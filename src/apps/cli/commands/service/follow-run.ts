import type { AssayClient, Run, RunProgress } from '@assay/client';
import { AssayError } from '#core';
import type { Io } from '../../io.ts';
import { createProgressLine } from '../../tables/progress-line.ts';

const ended = new Set<Run['status']>(['succeeded', 'partial', 'failed', 'cancelled']);
/** Before a broken stream is asked for again. */
const again_ms = 1000;

/** Shows how a run goes on until its end. Stopped by the person it cancels the run. */
export async function followRun(client: AssayClient, run: Run, io: Io): Promise<Run> {
  const progress = createProgressLine(io, 'the recordings');
  const started = performance.now();
  try {
    for (;;) {
      try {
        for await (const { event, data } of client.runs.stream({ run_id: run.id }, { signal: io.signal })) {
          if (event === 'run' && ended.has(data.status)) return data;
          if (event === 'progress') progress.show(shown(data, (performance.now() - started) / 1000));
        }
      } catch (thrown) {
        if (io.signal.aborted) return await cancel(client, run, io);
        if (thrown instanceof AssayError && thrown.code === 'not_found') throw thrown;
      }
      const now = await client.runs.get({ run_id: run.id });
      if (ended.has(now.status)) return now;
      await new Promise((resolve) => setTimeout(resolve, again_ms));
    }
  } finally {
    progress.end();
  }
}

async function cancel(client: AssayClient, run: Run, io: Io): Promise<Run> {
  io.note('assay: stopped; the run is cancelled, what is judged stays\n');
  return client.runs.cancel({ run_id: run.id });
}

function shown(progress: RunProgress, elapsed_s: number) {
  const { stage, done, total, bytes_done, bytes_total, episodes_per_s, eta_s } = progress;
  return {
    stage,
    episodes: done,
    episodes_expected: total,
    bytes: stage === 'measure' ? bytes_done : 0,
    bytes_expected: bytes_total,
    elapsed_s,
    rate: episodes_per_s,
    eta_s,
  };
}

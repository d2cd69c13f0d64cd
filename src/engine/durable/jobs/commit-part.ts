import { type AnnotatedTotals, annotatedRows, type JobRow, jobRows } from '#store';
import { tokensCost } from '../../budget/prices.ts';
import type { AnnotatedPart } from '../../steps/messages.ts';
import type { Engine } from '../engine.ts';
import { concludeJob, stopJob } from './end-job.ts';
import type { JobRef } from './job-ref.ts';
import { modelsOfJob } from './lane-plan.ts';
import { queueAgain } from './queue-ranges.ts';
import { chargeJob, coverOverrun } from './settle-job.ts';
import { tellJobProgress } from './tell-job.ts';
import { tokenPricesFor } from './token-prices.ts';
import { withJob } from './with-job.ts';

/** Between two progress events of a job. */
const pause_ms = 300;
/** Seconds until an episode is tried again, doubled with each fault. */
const firstPause_s = 5;
const longestPause_s = 300;

/** Writes down what a worker finished. False where the job does not want it any more. */
export async function commitPart(
  engine: Engine,
  ref: JobRef,
  part: AnnotatedPart,
  signal: AbortSignal,
): Promise<boolean> {
  const committed = await withJob(
    engine,
    ref,
    async (job, work) => {
      const token_prices = tokenPricesFor(engine.store.prices, modelsOfJob(job));
      const annotating = { ...job, ...work, token_prices };
      const totals = await annotatedRows.commitAnnotated(annotating, engine.worker, part);
      await goOn(engine, ref, await count(engine, job, totals), totals);
      return true;
    },
    signal,
  );
  return committed ?? false;
}

function count({ store }: Engine, job: JobRow, totals: AnnotatedTotals): Promise<JobRow> {
  const tokens_usd = tokensCost(tokenPricesFor(store.prices, modelsOfJob(job)), totals);
  return jobRows.updateJob({ sql: store.database.sql, tenant_id: job.tenant_id }, job.id, {
    done: job.done + totals.done,
    failed: job.failed + totals.failed,
    compute_s: job.compute_s + totals.compute_s,
    uncharged_s: job.uncharged_s + totals.compute_s,
    gpu_s: job.gpu_s + totals.gpu_s,
    uncharged_gpu_s: job.uncharged_gpu_s + totals.gpu_s,
    device_note: totals.device_note ?? job.device_note,
    prompt_tokens: job.prompt_tokens + totals.prompt_tokens,
    completion_tokens: job.completion_tokens + totals.completion_tokens,
    tokens_usd: job.tokens_usd + tokens_usd,
    uncharged_tokens_usd: job.uncharged_tokens_usd + tokens_usd,
    attempts: Math.max(job.attempts, ...totals.again.map(({ faults }) => faults + 1)),
    waiting: null,
  });
}

/** Ends the job where nothing is left or the budget is used up, else has faults tried again and tells how far it is. */
async function goOn(engine: Engine, ref: JobRef, counted: JobRow, totals: AnnotatedTotals): Promise<void> {
  const { store } = engine;
  const { total, done, failed, skipped } = counted;
  if (done + failed + skipped >= total) {
    await concludeJob(store, counted);
    return;
  }
  const covered = await coverOverrun(store, counted);
  if ('code' in covered) {
    await stopJob(store, counted, { status: 'failed', error: covered });
    return;
  }
  const job = await chargeJob(store, covered, 'worth it');
  await tryAgain(engine, { ...ref, layer: job.layer }, totals.again);
  const now = new Date();
  if (job.progress_at !== null && now.getTime() - job.progress_at.getTime() < pause_ms) return;
  const { sql } = store.database;
  await jobRows.updateJob({ sql, tenant_id: job.tenant_id }, job.id, { progress_at: now });
  await tellJobProgress(store, job, totals.last_episode);
}

async function tryAgain(
  { store }: Engine,
  layered: Parameters<typeof queueAgain>[1],
  again: AnnotatedTotals['again'],
): Promise<void> {
  for (const [faults, rows] of Map.groupBy(again, ({ faults }) => faults)) {
    const after_s = Math.min(longestPause_s, firstPause_s * 2 ** (faults - 1));
    const places = rows.map(({ place }) => place);
    await queueAgain(store, layered, places, after_s);
  }
}

import type { Finding } from '#episode';
import { runWorkRows } from '#store';
import { plannedSeconds } from '../estimate.ts';
import { planHash } from '../plan-hash.ts';
import { reserveAnew } from '../run-budget.ts';
import type { LookAnswer } from '../threads/thread-messages.ts';
import { briefKey, recordingsOfRun } from './briefs.ts';
import type { Engine } from './engine.ts';
import type { RunRef } from './run-ref.ts';
import type { StepContext } from './steps.ts';
import { changeRun, tell, withRun } from './with-run.ts';

/** Findings that are told as they come; the rest is in the run's list. */
const findingsTold = 100;

/**
 * Finds what the source holds, puts aside what it is estimated to cost, and hands out its units to be measured. Throws
 * `budget_exceeded`.
 */
export async function lookStep(
  engine: Engine,
  ref: RunRef,
  { run, lease, signal }: StepContext,
): Promise<void> {
  const recordings = await recordingsOfRun(engine, run);
  const units: string[] = [];
  engine.threads.prepare();
  const answer = await engine.threads.do(
    { type: 'look', recordings, key: briefKey(ref) },
    {
      signal: lease.signal,
      onPart: async (part) => {
        if (part.type === 'units') units.push(part.units);
        return true;
      },
    },
  );
  await handOut(engine, ref, { ...(answer as LookAnswer), parts: units }, signal);
}

async function handOut(
  engine: Engine,
  ref: RunRef,
  found: LookAnswer & { readonly parts: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  await withRun(
    engine,
    ref,
    'look',
    async (run, work) => {
      await runWorkRows.clearLook(work);
      await runWorkRows.insertDatasets(work, found.datasets);
      for (const units of found.parts) await runWorkRows.insertUnits(work, units);
      const findings: Finding[] = JSON.parse(found.findings);
      const now = new Date();
      const estimate_s = plannedSeconds(JSON.parse(found.planned));
      await changeRun(engine, run, {
        stage: found.units > 0 ? 'measure' : 'compare',
        stage_started_at: now,
        stage_base: 0,
        findings,
        plan_hash: planHash({ ...found, ...run, kind: run.kind_override }),
        estimate_s,
        reservation_id: await reserveAnew(engine.store, run, estimate_s),
        episodes_expected: found.episodes,
        bytes_expected: found.bytes,
      });
      await tell(
        engine,
        run,
        'finding',
        findings.slice(0, findingsTold).map((one) => JSON.stringify(one)),
      );
      const { queue } = engine.store;
      if (found.units === 0) await queue.send('run_steps', [{ ...ref, step: 'compare' }]);
      else {
        const jobs = found.stretches.map(([from, to]) => ({ ...ref, stage: 'measure', from, to }));
        await queue.send('run_units', jobs);
      }
    },
    signal,
  );
}

import type { Incomplete } from '#contract';
import type { Finding } from '#episode';
import { type MeasuredRow, type RunRow, runRows, runWorkRows, type Stretch } from '#store';
import { WorkerLost } from '#work';
import { unfinishedError, unfinishedUnit } from '../../assessment/unfinished.ts';
import { findingOf, notFinished } from '../threads/not-finished.ts';
import { patiently } from '../threads/patience.ts';
import type { MeasuredPart } from '../threads/thread-messages.ts';
import { ThreadLost } from '../threads/work-thread.ts';
import { briefOf } from './briefs.ts';
import { type Engine, workOf } from './engine.ts';
import { endRun } from './fail-run.ts';
import { tellProgress } from './progress.ts';
import type { RunRef } from './run-ref.ts';
import type { StretchContext } from './steps.ts';
import { tellWaiting } from './tell-waiting.ts';
import { changeRun, tell, withRun } from './with-run.ts';

/** A unit alone under which so many processes died is not tried again in this attempt. */
const mostDeaths = 2;

/**
 * Measures the units of a stretch that are still to be measured. Where a process died under the job before, one at a
 * time, so that the unit which ends processes is found and the others are not given up with it.
 */
export async function measureStretch(engine: Engine, ref: RunRef, context: StretchContext): Promise<void> {
  const { from, to, again, signal } = context;
  const all: Stretch = { from, to, state: 'waiting' };
  if (!again) return measureUnits(engine, ref, all, context);
  const work = workOf(engine, ref);
  for (const place of await patiently(engine, () => runWorkRows.listOpen(work, all), signal)) {
    const one: Stretch = { from: place, to: place, state: 'waiting' };
    const deaths = await patiently(engine, () => runWorkRows.deathsOf(work, place), signal);
    if (deaths >= mostDeaths)
      await giveUp(engine, ref, one, 'took its process with it each time that it was read');
    else {
      await measureUnits(engine, ref, one, context).finally(() =>
        patiently(engine, () => runWorkRows.acquit(work, place)),
      );
    }
  }
}

async function measureUnits(
  engine: Engine,
  ref: RunRef,
  stretch: Stretch,
  context: StretchContext,
): Promise<void> {
  const { lease, signal } = context;
  const tried = new Set<number>();
  for (;;) {
    const claiming = { ...stretch, worker: engine.worker, alone: context.again };
    const claim = () => runWorkRows.claimUnits(workOf(engine, ref), claiming);
    const { units, count } = await patiently(engine, claim, signal);
    if (count === 0) return;
    try {
      await engine.threads.do(
        { type: 'measure', run: await briefOf(engine, ref), units },
        {
          signal: lease.signal,
          onPart: (part) => commit(engine, ref, part as MeasuredPart, context),
          onProgress: (episodes, bytes) => {
            lease.underWay.episodes += episodes;
            lease.underWay.bytes += bytes;
          },
          onWaiting: (failure) => void tellWaiting(engine, ref, failure),
        },
      );
      return;
    } catch (thrown) {
      if (!(thrown instanceof ThreadLost) || thrown.place === null) throw thrown;
      const again = thrown.again && !tried.has(thrown.place);
      tried.add(thrown.place);
      if (again) continue;
      const at: Stretch = { from: thrown.place, to: thrown.place, state: 'waiting' };
      await giveUp(engine, ref, at, thrown.message);
    }
  }
}

/** False where the run does not want it any more. */
async function commit(
  engine: Engine,
  ref: RunRef,
  part: MeasuredPart,
  { lease, signal }: Pick<StretchContext, 'lease' | 'signal'>,
): Promise<boolean> {
  const committed = await withRun(
    engine,
    ref,
    'measure',
    async (run, work) => {
      const totals = await runWorkRows.commitMeasured(work, engine.worker, part.units);
      const { underWay } = lease;
      underWay.episodes = Math.max(0, underWay.episodes - totals.episodes - totals.unreadable);
      underWay.bytes = Math.max(0, underWay.bytes - totals.bytes);
      const after = await count(engine, run, totals);
      const findings: unknown[] = JSON.parse(part.findings);
      if (totals.units > 0)
        await tell(
          engine,
          run,
          'finding',
          findings.map((one) => JSON.stringify(one)),
        );
      await advance(engine, ref, after);
      return true;
    },
    signal,
  );
  return committed ?? false;
}

async function count(engine: Engine, run: RunRow, totals: runWorkRows.Totals): Promise<RunRow> {
  const { sql } = engine.store.database;
  return runRows.updateRun({ sql, tenant_id: run.tenant_id }, run.id, {
    episodes_measured: run.episodes_measured + totals.episodes,
    episodes_unreadable: run.episodes_unreadable + totals.unreadable,
    bytes_measured: run.bytes_measured + totals.bytes,
    compute_s: run.compute_s + totals.compute_s,
    waiting: null,
  });
}

/**
 * Goes on to comparing when nothing is left to measure, else tells how far it is. Where units could not be measured here
 * the run ends, to be resumed: comparisons hold all episodes of a dataset against each other, and what they would say
 * without some would go into receipts.
 */
async function advance(engine: Engine, ref: RunRef, run: RunRow): Promise<void> {
  const work = workOf(engine, ref);
  if (await runWorkRows.anyLeft(work, 'waiting')) return tellProgress(engine, run);
  const unfinished = (await runWorkRows.listErrors(work, notFinished)).map(incompleteOf);
  if (unfinished.length > 0) return endRun(engine, ref, run, unfinishedError(unfinished, resumeIt));
  await changeRun(engine, run, { stage: 'compare', stage_started_at: new Date(), stage_base: 0 });
  await engine.store.queue.send('run_steps', [{ ...ref, step: 'compare' }]);
}

const resumeIt =
  'resume the run, which then measures only these; where the same comes again at the same file, take it out of the source';

const incompleteOf = ({ path, message, advice }: Finding): Incomplete => {
  return { path, episode: null, episodes: 0, reason: message, advice };
};

/** Writes the units of a stretch down as not measured; the others are measured still. */
export async function giveUp(engine: Engine, ref: RunRef, stretch: Stretch, why: string): Promise<void> {
  const work = workOf(engine, ref);
  const { units } = await patiently(engine, () =>
    runWorkRows.claimUnits(work, { ...stretch, worker: engine.worker }),
  );
  const rows = (JSON.parse(units) as ClaimedUnit[]).map((unit) => lostRow(unit, why));
  if (rows.length === 0) return;
  const findings = JSON.stringify(rows.map(({ error }) => error));
  const lease = {
    underWay: { episodes: 0, bytes: 0 },
    signal: new AbortController().signal,
    release: () => {},
  };
  const part: MeasuredPart = { type: 'measured', units: JSON.stringify(rows), findings };
  await commit(engine, ref, part, { lease, signal: lease.signal });
}

interface ClaimedUnit {
  readonly place: number;
  readonly attempt: number;
  readonly unit: Parameters<typeof unfinishedUnit>[0]['unit'];
}

function lostRow({ place, attempt, unit }: ClaimedUnit, why: string): MeasuredRow {
  return {
    place,
    attempt,
    state: 'failed',
    bytes: unit.bytes,
    episodes: 0,
    unreadable: 0,
    kinds: {},
    findings: [],
    error: findingOf(unfinishedUnit({ unit }, new WorkerLost(why))),
    measured_blob: null,
    pack_entry: null,
    shard_blob: null,
    compute_s: 0,
  };
}

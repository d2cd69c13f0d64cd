import { AssayError } from '#core';
import type { Run } from '#core/api';
import {
  changeRun,
  type LookAnswer,
  layersFromStart,
  layersToResume,
  noRun,
  plannedRunSeconds,
  queueStage,
  recordingsOf,
  reserveForRun,
  runOf,
  secondsLeft,
} from '#engine';
import { engine } from '#quality/readiness';
import { type RunRow, runResultRows, runRows, type Store, sourceRows, type TenantScope } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noSource } from '../sources/views.ts';
import { lookWhereCapped } from './estimate-ahead.ts';

/**
 * Goes on with a run that failed or was cancelled, where it stopped: what is measured or judged is not done again, units
 * that were given up are, and its layers on the episodes that are left. A run that another version of the program began
 * starts over. Throws `not_found`, `conflict` for a run that did not end early or whose source has another run under way,
 * `budget_exceeded`.
 */
export async function resumeRun(
  store: Store,
  call: Call,
  { run_id }: { readonly run_id: string },
): Promise<Run> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const found = await lookAgain(store, scope, run_id);
  return store.database.transaction(async () => {
    const row = await runRows.lockRun(scope, run_id);
    if (row === null) throw noRun();
    if (row.status === 'queued' || row.status === 'running') return runOf(row);
    if (row.status !== 'failed' && row.status !== 'cancelled') {
      throw new AssayError('conflict', `the run came to its end: ${row.status}`, {
        advice: 'start a new run',
        details: { status: row.status },
      });
    }
    await demandIdle(scope, row);
    const work = { database: store.database, tenant_id: row.tenant_id, run_id };
    const stage = stageToResume(row);
    const resumed = await changeRun(store, row, {
      ...(await reopened(work, row, stage)),
      status: 'queued',
      stage,
      layers: (stage === 'look' ? layersFromStart : layersToResume)(row.layers),
      reservation_id: await reserved(store, row, stage, found),
      attempt: row.attempt + 1,
      engine_version: engine.version,
      error: null,
      finished_at: null,
    });
    await queueStage(store, resumed);
    await appendAudit(store, call, {
      action: 'resume_run',
      object_type: 'run',
      object_id: run_id,
      before: { status: row.status, attempt: row.attempt },
      after: { status: 'queued', attempt: resumed.attempt },
      detail: { project_id: row.project_id },
    });
    return runOf(resumed);
  });
}

const stageToResume = (row: RunRow): RunRow['stage'] =>
  row.engine_version === engine.version ? row.stage : startOf(row);

const startOf = ({ type, stage }: RunRow): RunRow['stage'] => (type === 'assess' ? 'look' : stage);

async function demandIdle(scope: Parameters<typeof runRows.findActiveRun>[0], row: RunRow): Promise<void> {
  const active = await runRows.findActiveRun(scope, row.source_id);
  if (active === null) return;
  throw new AssayError('conflict', 'another run of the source is under way', {
    advice: 'wait for its end, or cancel it',
    details: { run_id: active.id },
  });
}

/** What a run that will look at its source again would find, where that decides whether there is room for it. */
async function lookAgain(store: Store, scope: TenantScope, run_id: string): Promise<LookAnswer | null> {
  const row = await runRows.getRun(scope, run_id);
  const ended = row?.status === 'failed' || row?.status === 'cancelled';
  if (row === null || !ended || stageToResume(row) !== 'look') return null;
  return lookWhereCapped(store, scope, async () => {
    const source = await sourceRows.getSource(scope, row.source_id);
    if (source === null) throw noSource();
    return recordingsOf(store, source);
  });
}

/** Of a run that annotates, nothing is left but its layers, which pay for themselves. */
function reserved(
  store: Store,
  row: RunRow,
  stage: RunRow['stage'],
  found: LookAnswer | null,
): Promise<string | null> {
  if (stage === 'annotate') return reserveForRun(store, row, 0);
  if (stage !== 'look') return reserveForRun(store, row, secondsLeft(row));
  return reserveForRun(store, row, found === null ? 0 : plannedRunSeconds(found.planned));
}

/** What the run's row says after units that were given up are open again. */
async function reopened(
  work: Parameters<typeof runResultRows.reopenUnits>[0],
  row: RunRow,
  stage: RunRow['stage'],
): Promise<Partial<RunRow>> {
  if (stage === 'look') {
    return {
      episodes_measured: 0,
      episodes_judged: 0,
      episodes_unreadable: 0,
      bytes_measured: 0,
      ...noDecisions,
    };
  }
  if (stage !== 'measure') return { stage_base: stage === 'annotate' ? 0 : row.episodes_judged };
  const given = await runResultRows.reopenUnits(work);
  return {
    stage_base: row.episodes_measured + row.episodes_unreadable - given.unreadable,
    episodes_unreadable: row.episodes_unreadable - given.unreadable,
    bytes_measured: Math.max(0, row.bytes_measured - given.bytes),
  };
}

const noDecisions = { accepted: 0, to_review: 0, rejected: 0 };

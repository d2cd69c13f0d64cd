import { AssayError } from '#core';
import type { Run } from '#core/api';
import {
  estimateRun,
  type LookAnswer,
  queueStage,
  reserveForRun,
  resolveRecordings,
  restartLayers,
  resumeLayers,
  runNotFound,
  secondsLeft,
  toRun,
  updateRun,
} from '#engine';
import { engine } from '#quality/readiness';
import { type RunRow, runResultRows, runRows, type Store, sourceRows, type TenantScope } from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noSource } from '../sources/views.ts';
import { inspectIfCapped } from './run-source.ts';

/**
 * Resumes a failed or cancelled run where it stopped, audits this and returns the run: finished work is kept, units that were
 * given up are retried, and its layers run on the remaining episodes. A run of another engine version starts over. A run that
 * is queued or running is returned as it is. Throws `not_found`, `conflict` for a run that ended normally or whose source has
 * another active run, `budget_exceeded`.
 */
export async function resumeRun(
  store: Store,
  call: Call,
  { run_id }: { readonly run_id: string },
): Promise<Run> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const found = await inspectSource(store, scope, run_id);
  return store.database.transaction(async () => {
    const row = await runRows.lockRun(scope, run_id);
    if (row === null) throw runNotFound();
    if (row.status === 'queued' || row.status === 'running') return toRun(row);
    if (row.status !== 'failed' && row.status !== 'cancelled') {
      throw new AssayError('conflict', `the run has already finished (${row.status})`, {
        advice: 'start a new run',
        details: { status: row.status },
      });
    }
    await requireNoActiveRun(scope, row);
    const work = { database: store.database, tenant_id: row.tenant_id, run_id };
    const stage = stageToResume(row);
    const resumed = await updateRun(store, row, {
      ...(await reopenUnitsOfStage(work, row, stage)),
      status: 'queued',
      stage,
      usability: stage === 'annotate' ? row.usability : null,
      layers: (stage === 'look' ? restartLayers : resumeLayers)(row.layers),
      reservation_id: await reserveForStage(store, row, stage, found),
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
    return toRun(resumed);
  });
}

const stageToResume = (row: RunRow): RunRow['stage'] =>
  row.engine_version === engine.version ? row.stage : firstStage(row);

const firstStage = ({ type, stage }: RunRow): RunRow['stage'] => (type === 'assess' ? 'look' : stage);

async function requireNoActiveRun(
  scope: Parameters<typeof runRows.findActiveRun>[0],
  row: RunRow,
): Promise<void> {
  const active = await runRows.findActiveRun(scope, row.source_id);
  if (active === null) return;
  throw new AssayError('conflict', 'another run of the source is in progress', {
    advice: 'wait until it has finished, or cancel it',
    details: { run_id: active.id },
  });
}

/**
 * Returns the datasets and sizes of the source of a run that will start over, if they decide whether the budget has room; else
 * null.
 */
async function inspectSource(store: Store, scope: TenantScope, run_id: string): Promise<LookAnswer | null> {
  const row = await runRows.getRun(scope, run_id);
  const ended = row?.status === 'failed' || row?.status === 'cancelled';
  if (row === null || !ended || stageToResume(row) !== 'look') return null;
  return inspectIfCapped(store, scope, async () => {
    const source = await sourceRows.getSource(scope, row.source_id);
    if (source === null) throw noSource();
    return resolveRecordings(store, source, { revision: row.source_revision });
  });
}

/**
 * Reserves budget for the remaining work of a stage and returns the id of the reservation; null if nothing is reserved. The
 * annotate stage reserves nothing, because its jobs reserve for themselves.
 */
async function reserveForStage(
  store: Store,
  row: RunRow,
  stage: RunRow['stage'],
  found: LookAnswer | null,
): Promise<string | null> {
  if (stage === 'annotate') return reserveForRun(store, row, 0);
  if (stage !== 'look') return reserveForRun(store, row, secondsLeft(row));
  const estimate = found === null ? null : await estimateRun(store, row, found);
  return reserveForRun(store, row, estimate?.compute_s ?? 0);
}

/** Reopens the unfinished units of a run for a stage and returns the changes of the run's row. */
async function reopenUnitsOfStage(
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
  const reopenedTotals = await runResultRows.reopenUnits(work);
  return {
    stage_base: row.episodes_measured + row.episodes_unreadable - reopenedTotals.unreadable,
    episodes_unreadable: row.episodes_unreadable - reopenedTotals.unreadable,
    bytes_measured: Math.max(0, row.bytes_measured - reopenedTotals.bytes),
  };
}

const noDecisions = { accepted: 0, to_review: 0, rejected: 0, usability: null, loader: null };

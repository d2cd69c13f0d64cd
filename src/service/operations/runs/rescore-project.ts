import { AssayError } from '#core';
import type { Run } from '#core/api';
import { launchRun, rescoreSeconds } from '#engine';
import { engine } from '#quality/readiness';
import { projectRows, type RunRow, runResultRows, runRows, type Store } from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { effectiveSettings } from '../readiness/effective-settings.ts';
import { emptyRunRow } from './start-run.ts';

/** A project, or one of its sources, to rescore. */
export interface RescoreProject {
  readonly project_id: string;
  readonly source_id?: string | undefined;
}

/**
 * Queues one run per source that re-evaluates the measurements of its newest finished assessment under the current settings;
 * audits and returns the runs. Throws `not_found`, `not_ready` if there is no measurement that can be re-evaluated, `conflict`
 * while a run of the source is active, `budget_exceeded`.
 */
export async function rescoreProject(
  store: Store,
  call: Call,
  { project_id, source_id }: RescoreProject,
): Promise<{ items: Run[] }> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const project = await projectRows.getProject(scope, project_id);
    if (project === null) throw noProject();
    const measured = await runRows.listLatestAssessments(scope, { project_id, source_id: source_id ?? null });
    if (measured.length === 0) throw noMeasuredRun();
    for (const base of measured) requireSameMeasurement(base, project);
    const settings = effectiveSettings(project);
    const items: Run[] = [];
    for (const base of measured) items.push(await rescoreRun(store, call, base, settings));
    return { items };
  });
}

const noMeasuredRun = (): AssayError =>
  new AssayError('not_ready', 'no assessment has finished yet', {
    advice: 'start a run of the source, and re-evaluate the project once it has finished',
  });

/**
 * Throws `not_ready` unless data kind and engine version are those of the measurement; only other settings can change
 * without a new run.
 */
function requireSameMeasurement(base: RunRow, project: projectRows.ProjectRow): void {
  const advice = 'start a new run of the source';
  const details = { source_id: base.source_id, run_id: base.id };
  if (base.kind_override !== project.data_kind_override) {
    const was = base.kind_override ?? 'the kind detected from its streams';
    throw new AssayError(
      'not_ready',
      `the source was measured as ${was}, which differs from the current data kind`,
      { advice, details },
    );
  }
  if (base.engine_version !== engine.version) {
    const message = `the source was measured by engine version ${base.engine_version}, which differs from the current version`;
    throw new AssayError('not_ready', message, { advice, details });
  }
}

async function rescoreRun(
  store: Store,
  call: Call,
  base: RunRow,
  settings: RunRow['settings'],
): Promise<Run> {
  const scope = scopeOf(store, call);
  const row: RunRow = {
    ...emptyRunRow(call, base),
    type: 'rescore',
    base_run_id: base.id,
    stage: 'judge',
    settings,
    layers: [],
    kind_override: base.kind_override,
    plan_hash: null,
    kinds: base.kinds,
    findings: base.findings,
    notes: base.notes,
    episodes_expected: base.episodes_expected,
    episodes_measured: base.episodes_measured,
    episodes_unreadable: base.episodes_unreadable,
    bytes_expected: base.bytes_expected,
    bytes_measured: base.bytes_measured,
    source_revision: base.source_revision,
    estimate_s: rescoreSeconds(base.episodes_measured),
  };
  if (!(await runRows.insertRun(scope, row)))
    throw sourceHasActiveRun(await runRows.findActiveRun(scope, base.source_id));
  const work = { database: store.database, tenant_id: row.tenant_id, run_id: row.id };
  await runResultRows.copyMeasured(work, base.id);
  const started = await launchRun(store, row, row.estimate_s);
  await appendAudit(store, call, {
    action: 'rescore_project',
    object_type: 'run',
    object_id: row.id,
    before: null,
    after: { id: row.id, source_id: row.source_id, base_run_id: base.id },
    detail: { project_id: row.project_id, source_id: row.source_id },
  });
  return started;
}

function sourceHasActiveRun(active: RunRow | null): AssayError {
  return new AssayError('conflict', 'a run of the source is in progress', {
    advice: 'wait until it has finished, or cancel it',
    details: active === null ? {} : { run_id: active.id },
  });
}

import { AssayError, newId } from '#core';
import type { Run } from '#core/api';
import { estimateRun, type LookAnswer, launchRun, lookAtRecordings, planHash, toRun } from '#engine';
import { layerOf, surfacesOf } from '#labels/annotation';
import { engine } from '#quality/readiness';
import { type RunRow, runRows, type Store } from '#store';
import { describeFrameRecipient } from '../annotation/vision-endpoint.ts';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { inspectIfCapped, loadRunSource, type RunSource } from './run-source.ts';

/** A source to run, optionally only if its plan is unchanged. */
export interface StartRunInput {
  readonly project_id: string;
  readonly source_id: string;
  readonly plan_hash?: string | undefined;
}

/**
 * Queues and audits a run of a source and returns it; if an assessment of the source is active, returns that instead. Throws
 * `not_found`, `not_ready`, `plan_changed` if `plan_hash` differs from the current plan, `conflict` while the source is being
 * re-evaluated, `budget_exceeded`.
 */
export async function startRun(store: Store, call: Call, input: StartRunInput): Promise<Run> {
  requireRole(call, 'engineer');
  // A plan is started in the state that it was made from, even if the address has changed since.
  const state = input.plan_hash === undefined ? 'current' : 'planned';
  const source = await loadRunSource(store, call, { ...input, state });
  const scope = scopeOf(store, call);
  const found =
    input.plan_hash === undefined
      ? await inspectIfCapped(store, scope, async () => source.recordings)
      : await requireSamePlan(source, input.plan_hash);
  return store.database.transaction(async () => {
    const row = newRunRow(call, source, input.plan_hash ?? null);
    if (!(await runRows.insertRun(scope, row)))
      return activeRunOrConflict(await runRows.findActiveRun(scope, row.source_id));
    const estimate = found === null ? null : await estimateRun(store, row, found);
    const started = await launchRun(store, row, estimate?.compute_s ?? 0);
    await appendAudit(store, call, {
      action: 'start_run',
      object_type: 'run',
      object_id: row.id,
      before: null,
      after: { id: row.id, source_id: row.source_id, plan_hash: row.plan_hash },
      detail: {
        ...{ project_id: row.project_id, source_id: row.source_id },
        ...describeFrameRecipient(store, usesVisionEndpoint(source)),
      },
    });
    return started;
  });
}

/** Returns whether a layer of the run uses the vision endpoint with the models in effect. */
const usesVisionEndpoint = ({ layers, runnable }: RunSource): boolean =>
  layers.some(({ layer }) =>
    surfacesOf(layerOf(layer)).some((surface) => runnable.get(surface)?.served !== undefined),
  );

async function requireSamePlan(source: RunSource, expectedHash: string): Promise<LookAnswer> {
  const found = await lookAtRecordings(source.recordings);
  const now = planHash({ ...found, ...source });
  if (now === expectedHash) return found;
  throw new AssayError('plan_changed', 'the source or the settings have changed since the plan was created', {
    advice: 'plan the run again, check the changes, and start it with the new plan_hash',
    details: { plan_hash: now },
  });
}

function activeRunOrConflict(active: RunRow | null): Run {
  if (active?.type === 'assess') return toRun(active);
  throw new AssayError('conflict', 'the source is being re-evaluated', {
    advice: 'wait until the re-evaluation has finished, or cancel it',
    details: active === null ? {} : { run_id: active.id },
  });
}

function newRunRow(call: Call, source: RunSource, plan_hash: string | null): RunRow {
  return {
    ...emptyRunRow(call, source),
    type: 'assess',
    stage: 'look',
    plan_hash,
    source_revision: source.revision,
    kind_override: source.kind,
    settings: source.settings,
    layers: source.layers,
  };
}

type SourceFields = 'type' | 'stage' | 'plan_hash' | 'kind_override' | 'settings' | 'layers';

/** Returns the row of a queued run without results. */
export function emptyRunRow(
  call: Call,
  { project_id, source_id }: Pick<RunSource, 'project_id' | 'source_id'>,
): Omit<RunRow, SourceFields> {
  return {
    tenant_id: call.actor.tenant_id,
    id: newId('run'),
    project_id,
    source_id,
    base_run_id: null,
    status: 'queued',
    attempt: 1,
    engine_version: engine.version,
    kind: null,
    kinds: {},
    findings: [],
    episodes_expected: 0,
    episodes_measured: 0,
    episodes_judged: 0,
    episodes_unreadable: 0,
    bytes_expected: 0,
    source_revision: null,
    bytes_fetched: 0,
    bytes_measured: 0,
    accepted: 0,
    to_review: 0,
    rejected: 0,
    usability: null,
    loader: null,
    layer_findings: [],
    compute_s: 0,
    cost_usd: 0,
    estimate_s: 0,
    estimate: null,
    charged_s: 0,
    reservation_id: null,
    notes: null,
    report_prefix: null,
    error: null,
    waiting: null,
    created_at: call.now,
    created_by: actorId(call),
    started_at: null,
    stage_started_at: null,
    stage_base: 0,
    progress_at: null,
    finished_at: null,
  };
}

import type { CertificationPolicy, Export } from '#core/api';
import { exportOf, exportPrice, launchExport } from '#engine';
import { type BundleInputs, type ExportRow, evidenceRows, exportRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, scopeOf } from '../call.ts';

/** A bundle that is made, and whether it was there, or under way, already. */
export interface MadeBundle {
  readonly bundle: Export;
  readonly found: boolean;
}

/** A bundle that is made of the same; null: there is none. */
export async function foundBundle(
  store: Store,
  call: Call,
  project_id: string,
  input_hash: string,
): Promise<MadeBundle | null> {
  const scope = scopeOf(store, call);
  const id = await evidenceRows.findBundle(store.database, { ...scope, project_id }, input_hash);
  const row = id === null ? null : await exportRows.getExport(scope, id);
  return row === null ? null : { bundle: exportOf(row), found: true };
}

/** Adds and queues a bundle, within a transaction. Throws `budget_exceeded`. */
export async function queueBundle(
  store: Store,
  call: Call,
  {
    id,
    project_id,
    policy,
  }: { readonly id: string; readonly project_id: string; readonly policy: CertificationPolicy },
  inputs: BundleInputs,
): Promise<MadeBundle> {
  const scope = scopeOf(store, call);
  const row = newBundle(store, call, { id, project_id }, inputs);
  await exportRows.insertExport(scope, row);
  const kept = inputs.report_blob === null ? await evidenceRows.freezeEvidence(store.database, row) : 0;
  const launched = await launchExport(store, await exportRows.updateExport(scope, id, { kept }));
  await appendAudit(store, call, {
    action: inputs.origin === 'service' ? 'export_certification' : 'import_certification_report',
    object_type: 'export',
    object_id: id,
    before: null,
    after: {
      id,
      kept,
      origin: inputs.origin,
      policy_hash: policy.policy_hash,
      input_hash: inputs.input_hash,
    },
    detail: { project_id, policy_version: inputs.policy_version, policy_hash: policy.policy_hash },
  });
  return { bundle: exportOf(launched), found: false };
}

function newBundle(
  store: Store,
  call: Call,
  ids: { readonly id: string; readonly project_id: string },
  certification: BundleInputs,
): ExportRow {
  return {
    ...ids,
    tenant_id: call.actor.tenant_id,
    ...{ source_id: null, dataset_path: '.', dataset_format: 'certified-bundle', format: 'certified-bundle' },
    ...{ purpose: 'certification', rate_hz: null, status: 'queued', certification },
    chosen: {
      decisions: ['accept', 'review', 'reject'],
      named: null,
      slice_id: null,
      curation_id: null,
      without: 0,
      annotations: null,
      edits: {},
    },
    ...{ kept: 0, dropped: 0, written: 0, blob_prefix: null, files: 0, bytes: 0, seal: null },
    ...{ estimate_usd: 0, reservation_id: null, reserved_usd: 0, compute_s: 0 },
    price_usd_per_s: exportPrice(store),
    ...{ error: null, waiting: null, started_at: null, progress_at: null, finished_at: null },
    created_at: call.now,
    created_by: actorId(call),
    ...{ sealed_at: null, sealed_by: null },
  };
}

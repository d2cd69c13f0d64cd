import { AssayError, canonicalJson, newId, sha256 } from '#core';
import type { CertificationPolicy, CertificationReport, Export } from '#core/api';
import { exportPrefix, exportPrice, launchExport, toExport } from '#engine';
import { findImportedReportFault } from '#quality/certification';
import {
  type BundleInputs,
  type ExportRow,
  evidenceRows,
  exportRows,
  type PolicyRow,
  policyRows,
  projectRows,
  type Store,
  type TenantScope,
} from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { policyInEffect, savePolicy } from './policies.ts';
import { hashReportInputs, readEvidenceState } from './report.ts';

/**
 * Queues a signed bundle of a project's report, policy and receipts as they are now; returns the existing bundle if
 * one has the same inputs. An unsaved default policy is saved as the next version. Throws `not_found`, `not_ready` if
 * the project has no episodes, `budget_exceeded`.
 */
export async function exportCertification(
  store: Store,
  call: Call,
  {
    project_id,
    policy_version,
  }: { readonly project_id: string; readonly policy_version?: number | undefined },
): Promise<BundleResult> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    // Locked, so that concurrent requests get the same bundle.
    const project = await projectRows.getProject(scope, project_id, 'update');
    if (project === null) throw noProject();
    const state = await readEvidenceState(store, call, project_id);
    if (state.episodes === 0)
      throw new AssayError('not_ready', 'the project has no episodes to certify', {
        advice: 'run a source first',
      });
    const requested = await policyInEffect(scope, project, policy_version);
    const policy =
      requested.version === null ? (await savePolicy(store, call, project_id, requested)).policy : requested;
    const input_hash = hashReportInputs(policy, state);
    const found = await findBundle(store, call, project_id, input_hash);
    if (found !== null) return found;
    return queueBundle(
      store,
      call,
      { id: newId('exp'), project_id, policy },
      {
        origin: 'service',
        policy_version: policy.version ?? 1,
        evidence_hash: state.evidence_hash,
        input_hash,
        report_blob: null,
        wanted: state.wanted,
      },
    );
  });
}

/**
 * Queues a signed bundle of a report that was made elsewhere; returns the existing bundle if the report was imported
 * before. Throws `not_found`, `report_project_mismatch`, `policy_not_registered`, `hash_mismatch`, `verification_failed`
 * if a value does not follow from the report's decisions, `budget_exceeded`, `storage_unavailable`.
 */
export async function importCertificationReport(
  store: Store,
  call: Call,
  { project_id, report }: { readonly project_id: string; readonly report: CertificationReport },
): Promise<BundleResult> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, project_id)) === null) throw noProject();
  if (report.project_id !== project_id)
    throw new AssayError(
      'report_project_mismatch',
      `the report is for ${report.project_id ?? 'no project'}, not for ${project_id}`,
      {
        advice: `create it with \`assay certify PATH --project ${project_id}\``,
        details: { report_project_id: report.project_id },
      },
    );
  requireMatchingHash(report);
  const id = newId('exp');
  const report_blob = `${exportPrefix({ tenant_id: scope.tenant_id, export_id: id })}/imported/report.json`;
  const input_hash = sha256(canonicalJson({ imported: report.content_hash }));
  const saved = await requireSavedPolicy(scope, project_id, report);
  requireConsistentReport(report, saved.policy);
  const before = await findBundle(store, call, project_id, input_hash);
  if (before !== null) return before;
  await store.blobs.put(report_blob, Buffer.from(canonicalJson(report)));
  return store.database.transaction(async () => {
    await projectRows.getProject(scope, project_id, 'update');
    const found = await findBundle(store, call, project_id, input_hash);
    if (found !== null) {
      await store.blobs.delete([report_blob]);
      return found;
    }
    return queueBundle(
      store,
      call,
      { id, project_id, policy: saved.policy },
      {
        ...{ origin: 'local_report_import', policy_version: saved.version, evidence_hash: null },
        ...{ input_hash, report_blob, wanted: [] },
      },
    );
  });
}

/** Throws `hash_mismatch` unless `content_hash` is the SHA-256 of the canonical JSON of the other members. */
function requireMatchingHash({ content_hash, ...body }: CertificationReport): void {
  const computed_hash = sha256(canonicalJson(body));
  if (computed_hash === content_hash) return;
  throw new AssayError(
    'hash_mismatch',
    `the report was modified: its content_hash is ${content_hash}, but its content hashes to ${computed_hash}`,
    {
      advice: 'send report.json unmodified, as written by `assay certify`',
    },
  );
}

/**
 * Returns the saved policy that a report names: the version that it states, or the latest version with its hash if it
 * states none. Throws `policy_not_registered`.
 */
async function requireSavedPolicy(
  scope: TenantScope,
  project_id: string,
  { policy: { policy_hash, version } }: CertificationReport,
): Promise<PolicyRow> {
  const saved =
    version === null
      ? await policyRows.findPolicy(scope, project_id, policy_hash)
      : await policyRows.getPolicy(scope, project_id, version);
  if (saved !== null && saved.policy_hash === policy_hash) return saved;
  const named = version === null ? 'no policy' : `no policy version ${version}`;
  throw new AssayError('policy_not_registered', `the project has ${named} with hash ${policy_hash}`, {
    advice:
      'save the policy with POST /v1/projects/{project_id}/certification/policies, then import the report again',
    details: { policy_hash },
  });
}

/**
 * Throws `verification_failed` with the first value of a report that does not follow from its own decisions and the
 * saved policy.
 */
function requireConsistentReport(report: CertificationReport, policy: CertificationPolicy): void {
  const fault = findImportedReportFault(report, policy);
  if (fault === null) return;
  const { pointer, message } = fault;
  throw new AssayError(
    'verification_failed',
    `the report does not follow from its own decisions: ${message}`,
    {
      place: pointer,
      advice:
        'send report.json unmodified, as written by `assay certify` of the same version as this service',
      details: { errors: [{ pointer: `/body${pointer}`, message }] },
    },
  );
}

/** A bundle, and whether it existed or was queued before this request. */
export interface BundleResult {
  readonly bundle: Export;
  readonly found: boolean;
}

/** Finds the bundle with this input hash; null if there is none. */
async function findBundle(
  store: Store,
  call: Call,
  project_id: string,
  input_hash: string,
): Promise<BundleResult | null> {
  const scope = scopeOf(store, call);
  const id = await evidenceRows.findBundle(store.database, { ...scope, project_id }, input_hash);
  const row = id === null ? null : await exportRows.getExport(scope, id);
  return row === null ? null : { bundle: toExport(row), found: true };
}

/** Inserts, queues, audits and returns a bundle. Call it within a transaction. Throws `budget_exceeded`. */
async function queueBundle(
  store: Store,
  call: Call,
  {
    id,
    project_id,
    policy,
  }: { readonly id: string; readonly project_id: string; readonly policy: CertificationPolicy },
  inputs: BundleInputs,
): Promise<BundleResult> {
  const scope = scopeOf(store, call);
  const row = newBundleRow(store, call, { id, project_id }, inputs);
  await exportRows.insertExport(scope, row);
  const keptEpisodes =
    inputs.report_blob === null ? await evidenceRows.freezeEvidence(store.database, row) : 0;
  const launched = await launchExport(
    store,
    await exportRows.updateExport(scope, id, { kept: keptEpisodes }),
  );
  await appendAudit(store, call, {
    action: inputs.origin === 'service' ? 'export_certification' : 'import_certification_report',
    object_type: 'export',
    object_id: id,
    before: null,
    after: {
      id,
      kept: keptEpisodes,
      origin: inputs.origin,
      policy_hash: policy.policy_hash,
      input_hash: inputs.input_hash,
    },
    detail: { project_id, policy_version: inputs.policy_version, policy_hash: policy.policy_hash },
  });
  return { bundle: toExport(launched), found: false };
}

function newBundleRow(
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
    ...{
      kept: 0,
      dropped: 0,
      dropped_by: null,
      written: 0,
      blob_prefix: null,
      files: 0,
      bytes: 0,
      seal: null,
    },
    ...{ estimate_usd: 0, reservation_id: null, reserved_usd: 0, compute_s: 0 },
    price_usd_per_s: exportPrice(store),
    ...{ error: null, waiting: null, started_at: null, progress_at: null, finished_at: null },
    created_at: call.now,
    created_by: actorId(call),
    ...{ sealed_at: null, sealed_by: null },
  };
}

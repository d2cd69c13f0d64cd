import { AssayError, canonicalJson, newId, sha256 } from '#core';
import type { CertificationReport } from '#core/api';
import { exportPrefix } from '#engine';
import { policyRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { foundBundle, type MadeBundle, queueBundle } from './queue-bundle.ts';

/**
 * Has a report that was made elsewhere sealed into a bundle of its project; the same once. Throws `not_found`,
 * `report_project_mismatch`, `policy_not_registered`, `hash_mismatch`, `budget_exceeded`, `storage_unavailable`.
 */
export async function importCertificationReport(
  store: Store,
  call: Call,
  { project_id, report }: { readonly project_id: string; readonly report: CertificationReport },
): Promise<MadeBundle> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, project_id)) === null) throw noProject();
  if (report.project_id !== project_id)
    throw new AssayError(
      'report_project_mismatch',
      `the report is of ${report.project_id ?? 'no project'}, not of ${project_id}`,
      {
        advice: `make it with \`assay certify PATH --project ${project_id}\``,
        details: { report_project_id: report.project_id },
      },
    );
  demandWhole(report);
  const id = newId('exp');
  const report_blob = `${exportPrefix({ tenant_id: scope.tenant_id, export_id: id })}/imported/report.json`;
  const input_hash = sha256(canonicalJson({ imported: report.content_hash }));
  const saved = await policyRows.findPolicy(scope, project_id, report.policy.policy_hash);
  if (saved === null) throw notRegistered(report);
  const before = await foundBundle(store, call, project_id, input_hash);
  if (before !== null) return before;
  await store.blobs.put(report_blob, Buffer.from(canonicalJson(report)));
  return store.database.transaction(async () => {
    await projectRows.getProject(scope, project_id, 'update');
    const found = await foundBundle(store, call, project_id, input_hash);
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

/** Its hash must be that of everything else in it. */
function demandWhole({ content_hash, ...body }: CertificationReport): void {
  const own = sha256(canonicalJson(body));
  if (own === content_hash) return;
  throw new AssayError(
    'hash_mismatch',
    `the report was changed: its content_hash is ${content_hash}, and its content has ${own}`,
    {
      advice: 'send report.json as `assay certify` wrote it',
    },
  );
}

const notRegistered = ({ policy }: CertificationReport): AssayError =>
  new AssayError('policy_not_registered', `the project has no policy with the hash ${policy.policy_hash}`, {
    advice:
      'save the policy with POST /v1/projects/{project_id}/certification/policies, then import the report',
    details: { policy_hash: policy.policy_hash },
  });

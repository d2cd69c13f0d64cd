import { canonicalJson } from '#core';
import { exportFileKey } from '#engine';
import { bundleNames } from '#quality/certification/bundle';
import { evidenceRows, exportRows, projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { RecentlyUsed } from '../recently-used.ts';
import { makeReport } from './make-report.ts';
import { policyInEffect } from './policy-in-effect.ts';
import { evidenceState, inputHash } from './project-evidence.ts';

const cache_bytes = 64 * 1024 * 1024;
const made = new RecentlyUsed<Uint8Array>(cache_bytes, (json) => json.length);

/**
 * The report of a project's episodes as they are now, as canonical JSON, and a hash of all that it is made of. It is read
 * from a bundle where one was sealed of the same. Throws `not_found`, `limit_exceeded`, `storage_unavailable`.
 */
export async function getCertificationReport(
  store: Store,
  call: Call,
  {
    project_id,
    policy_version,
  }: { readonly project_id: string; readonly policy_version?: number | undefined },
): Promise<{ readonly json: Uint8Array; readonly input_hash: string }> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const policy = await policyInEffect(scope, project, policy_version);
  const state = await evidenceState(store, call, project_id);
  const input_hash = inputHash(policy, state);
  const key = `${scope.tenant_id} ${project_id} ${input_hash}`;
  const known = made.get(key) ?? (await sealedReport(store, call, project_id, input_hash));
  if (known !== null) return { json: known, input_hash };
  const report = await makeReport(store, call, project_id, policy, state);
  const json = Buffer.from(canonicalJson(report));
  made.put(key, json);
  return { json, input_hash };
}

/** The report in a bundle that was made of the same; null: there is none. */
async function sealedReport(
  store: Store,
  call: Call,
  project_id: string,
  input_hash: string,
): Promise<Uint8Array | null> {
  const scope = scopeOf(store, call);
  const id = await evidenceRows.findBundle(store.database, { ...scope, project_id }, input_hash);
  const row = id === null ? null : await exportRows.getExport(scope, id);
  if (row === null || row.blob_prefix === null) return null;
  return store.blobs.get(exportFileKey(row.blob_prefix, bundleNames.report));
}

import { AssayError, newId } from '#core';
import { projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { policyInEffect } from './policy-in-effect.ts';
import { evidenceState, inputHash } from './project-evidence.ts';
import { foundBundle, type MadeBundle, queueBundle } from './queue-bundle.ts';
import { savePolicy } from './save-policy.ts';

/**
 * Has a bundle sealed of a project's report, policy and receipts as they are now; the same once. A default policy that
 * nobody has saved becomes the next version. Throws `not_found`, `not_ready` for a project without episodes,
 * `budget_exceeded`.
 */
export async function exportCertification(
  store: Store,
  call: Call,
  {
    project_id,
    policy_version,
  }: { readonly project_id: string; readonly policy_version?: number | undefined },
): Promise<MadeBundle> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    // Two that ask at once get one bundle.
    const project = await projectRows.getProject(scope, project_id, 'update');
    if (project === null) throw noProject();
    const state = await evidenceState(store, call, project_id);
    if (state.episodes === 0)
      throw new AssayError('not_ready', 'the project has no episodes to certify', {
        advice: 'run a source first',
      });
    const asked = await policyInEffect(scope, project, policy_version);
    const policy = asked.version === null ? (await savePolicy(store, call, project_id, asked)).policy : asked;
    const input_hash = inputHash(policy, state);
    const found = await foundBundle(store, call, project_id, input_hash);
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

import type { CertificationPolicyInput, DryRun } from '#core/api';
import { sealPolicy } from '#quality/certification';
import { projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { makeReport } from './make-report.ts';
import { policyInEffect } from './policy-in-effect.ts';
import { evidenceState } from './project-evidence.ts';

/** Changes that are listed. */
const mostListed = 500;

/** What a policy would change that nobody has saved. Throws `not_found`, `invalid_request`, `limit_exceeded`. */
export async function dryRunCertificationPolicy(
  store: Store,
  call: Call,
  { project_id, ...input }: CertificationPolicyInput & { readonly project_id: string },
): Promise<DryRun> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const tried = sealPolicy(input, null);
  const state = await evidenceState(store, call, project_id);
  const before = await makeReport(
    store,
    call,
    project_id,
    await policyInEffect(scope, project, undefined),
    state,
  );
  const after = await makeReport(store, call, project_id, tried, state);
  const changes = before.episodes.flatMap(({ id, verdict }, at) => {
    const then = after.episodes[at].verdict;
    return then === verdict ? [] : [{ episode: id, before: verdict, after: then }];
  });
  return {
    before: { verdict: before.verdict, coverage: before.coverage.share },
    after: { verdict: after.verdict, coverage: after.coverage.share },
    episodes: before.episodes.length,
    changed: changes.length,
    changes: changes.slice(0, mostListed),
  };
}

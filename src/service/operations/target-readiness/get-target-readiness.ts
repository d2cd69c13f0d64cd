import { canonicalJson, sha256 } from '#core';
import type { TargetReadiness } from '#core/api';
import { targetProfile } from '#quality/catalog';
import { engine, recommendPolicy } from '#quality/readiness';
import { projectCountRows, projectRows, type SampledEpisode, type Store, targetRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { kindOf } from '../projects/kind-of.ts';
import { noProject } from '../projects/views.ts';
import { storedUseCase } from '../workspaces/views.ts';
import { judgeRequirements, verdictOf } from './judge-requirements.ts';
import { lookAtSample } from './look-at-sample.ts';
import { remembered } from './remembered.ts';

/** Episodes that are looked into; more of them change a diagnosis seldom, and each costs some milliseconds. */
const mostSampled = 32;

/**
 * Whether a project's data suits its target: requirements, how its actions are stored, and what kind of policy they
 * suit. The same episodes give the same answer. Throws `not_found`.
 */
export async function getTargetReadiness(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<TargetReadiness> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const counts = await projectCountRows.countEpisodes(scope, [project_id]);
  const { effective: kind } = kindOf(project.data_kind_override, counts);
  const totals = await targetRows.getTargetTotals(scope, project_id);
  const sampled = await targetRows.sampleUsable(scope, project_id, mostSampled);
  const content_hash = hashOf(sampled);
  const sample = await remembered(store, content_hash, () => lookAtSample(store, sampled));
  const profile = targetProfile(project.target_profile);
  const requirements = judgeRequirements({ kind, profile, totals, sample });
  return {
    project_id,
    use_case: storedUseCase(project.use_case).id,
    target_profile: profile.id,
    data_kind: kind,
    verdict: verdictOf(requirements, sample.looked_at),
    requirements,
    action_space: sample.action_space,
    recommendation: recommendPolicy({
      target_profile: profile.id,
      episodes: totals.usable,
      hours: totals.usable_s / 3600,
      tasks: totals.tasks,
      instructed_share: totals.usable === 0 ? 0 : totals.instructed / totals.usable,
      cameras: sample.cameras,
      has_state: sample.with_states > sample.looked_at / 2,
      action_rate_hz: sample.action_rate_hz,
      action_space: sample.action_space,
    }),
    sample: { episodes: sample.looked_at, of: totals.usable, content_hash },
  };
}

/** By content: receipts name every source by its hash. The program's version, because it decides what is seen. */
function hashOf(sampled: readonly SampledEpisode[]): string {
  return sha256(
    canonicalJson({
      engine: { ...engine },
      episodes: sampled.map(({ id, content_hash, shard_blob }) => [id, content_hash, shard_blob]),
    }),
  );
}

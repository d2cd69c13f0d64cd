import { AssayError } from '#core';
import type { Project } from '#core/api';
import type { projectCountRows, projectRows } from '#store';
import { unfitReason } from '../workspaces/target-fit.ts';
import { storedUseCase } from '../workspaces/views.ts';
import { kindOf } from './kind-of.ts';

/** A project as it is answered, from its row and the counts of its episodes. */
export function projectOf(
  row: projectRows.ProjectRow,
  counts: readonly projectCountRows.EpisodeCount[],
): Project {
  const useCase = storedUseCase(row.use_case);
  const own = counts.filter(({ project_id }) => project_id === row.id);
  const decisions = { accept: 0, review: 0, reject: 0 };
  let reviewed = 0;
  for (const count of own) {
    decisions[count.decision] += count.episodes;
    reviewed += count.reviewed;
  }
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    use_case: useCase.id,
    target_profile: row.target_profile,
    target_profile_unfit: unfitReason(useCase, row.target_profile),
    data_kind: kindOf(row.data_kind_override, own),
    episodes: decisions.accept + decisions.review + decisions.reject,
    decisions,
    reviewed,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** For an absent project and another tenant's alike. */
export const noProject = (): AssayError =>
  new AssayError('not_found', 'there is no project of this id', { advice: 'GET /v1/projects lists them' });

/** What the audit log hashes of a project: what people set, not what is counted. */
export function settingsOfProject(row: projectRows.ProjectRow) {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    target_profile: row.target_profile,
    data_kind_override: row.data_kind_override,
  };
}

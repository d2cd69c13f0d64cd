import { AssayError } from '#core';
import type { Project } from '#core/api';
import { type Kind, kinds } from '#core/episode';
import type { projectCountRows, projectRows } from '#store';
import { storedUseCase, unfitReason } from '../use-cases.ts';

/** Converts a project row and the counts of its episodes to the API view; counts of other projects are ignored. */
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
    data_kind: deriveKind(row.data_kind_override, own),
    episodes: decisions.accept + decisions.review + decisions.reject,
    decisions,
    reviewed,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns the error `not_found`, the same whether the project is missing or belongs to another tenant. */
export const noProject = (): AssayError =>
  new AssayError('not_found', 'project not found', { advice: 'list projects with GET /v1/projects' });

/** Returns the members of a project that the audit log hashes: settings, no counts. */
export function auditedProject(row: projectRows.ProjectRow) {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    target_profile: row.target_profile,
    data_kind_override: row.data_kind_override,
  };
}

/**
 * Returns a project's data kind with its origin: the pinned kind, else the most frequent kind of its episodes; null without
 * either.
 */
export function deriveKind(
  pinned: Kind | null,
  counts: readonly { readonly derived: Kind; readonly episodes: number }[],
): Project['data_kind'] {
  const totals = new Map<Kind, number>();
  for (const { derived, episodes } of counts) totals.set(derived, (totals.get(derived) ?? 0) + episodes);
  const sorted = kinds
    .filter((kind) => totals.has(kind))
    .map((kind) => ({ kind, episodes: totals.get(kind)! }))
    .sort((a, b) => b.episodes - a.episodes);
  const derived = sorted[0]?.kind ?? null;
  return {
    effective: pinned ?? derived,
    from: pinned !== null ? 'pinned' : derived !== null ? 'derived' : 'none',
    pinned,
    derived,
    counts: sorted,
  };
}

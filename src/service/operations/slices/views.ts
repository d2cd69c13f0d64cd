import { AssayError } from '#core';
import type { SearchCoverage, ServedRanking, Slice, SliceQuery } from '#core/api';
import type { SliceRow } from '#store';

/** Converts a slice row to the API view; its JSON members were validated when they were stored. */
export function sliceOf(row: SliceRow): Slice {
  return {
    id: row.id,
    project_id: row.project_id,
    name: row.name,
    query: row.query as SliceQuery,
    ranked_by: row.ranked_by as ServedRanking | null,
    coverage: row.coverage as SearchCoverage,
    settings_hash: row.settings_hash,
    response_hash: row.response_hash,
    episodes: row.episodes,
    locked: row.locked_at !== null,
    locked_at: row.locked_at?.toISOString() ?? null,
    locked_by: row.locked_by,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
  };
}

/** Returns the members of a slice that the audit log hashes. */
export function auditedSlice({ id, project_id, name, response_hash, episodes, locked_at }: SliceRow) {
  return { id, project_id, name, response_hash, episodes, locked: locked_at !== null };
}

/** Returns the error `not_found`, the same whether the slice is missing or belongs to another project or tenant. */
export const noSlice = (): AssayError =>
  new AssayError('not_found', 'slice not found in the project', {
    advice: 'list the slices with GET /v1/projects/{project_id}/slices',
  });

import { AssayError } from '#core';
import type { SearchCoverage, ServedRanking, Slice, SliceQuery } from '#core/api';
import type { SliceRow } from '#store';

/** A slice as it is answered. What it was made of was checked when it was made. */
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

/** What the audit log hashes of a slice. */
export function auditedSlice({ id, project_id, name, response_hash, episodes, locked_at }: SliceRow) {
  return { id, project_id, name, response_hash, episodes, locked: locked_at !== null };
}

/** For an absent slice, another project’s and another tenant's alike. */
export const noSlice = (): AssayError =>
  new AssayError('not_found', 'the project has no slice of this id', {
    advice: 'GET /v1/projects/{project_id}/slices lists them',
  });

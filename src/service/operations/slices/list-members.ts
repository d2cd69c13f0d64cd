import type { SliceMember } from '#core/api';
import { projectRows, type Store, sliceRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { summaryOf } from '../episodes/views.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import type { SliceKey } from './get-slice.ts';
import { noSlice } from './views.ts';

export interface MemberQuery extends SliceKey {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A slice's members in the order of its answer, each with the episode as it is now. Throws `not_found`. */
export async function listSliceMembers(
  store: Store,
  call: Call,
  { limit, cursor, ...key }: MemberQuery,
): Promise<Page<SliceMember>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const after = Number(readCursor(cursor, /^\d{1,6}$/) ?? -1);
  if ((await sliceRows.getSlice(scope, key)) === null) throw noSlice();
  const project = await projectRows.getProject(scope, key.project_id);
  const rows = await sliceRows.listMembers(scope, { slice_id: key.slice_id, after, limit: limit + 1 });
  return pageOfRows(
    rows,
    limit,
    ({ place }) => String(place),
    ({ place, member_id, receipt_hash, score, episode }) => ({
      place,
      episode_id: member_id,
      receipt_hash,
      score,
      episode:
        episode === null ? null : summaryOf(episode, key.project_id, project?.data_kind_override ?? null),
    }),
  );
}

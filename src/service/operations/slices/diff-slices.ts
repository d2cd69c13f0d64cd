import type { SliceDiff } from '#core/api';
import { type MemberRow, type SliceRow, type Store, searchRows, sliceRows, type TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { understandQuery } from '../search/understand-query.ts';
import type { SliceKey } from './get-slice.ts';
import { membersOfGaps, scoreImport } from './score-failures.ts';
import { noSlice, sliceOf } from './views.ts';

export interface SliceComparison extends SliceKey {
  /** The other slice; absent: what the slice's own query finds now. */
  readonly with?: string | undefined;
  /** Ids of either side at most. */
  readonly limit: number;
}

type Member = Pick<MemberRow, 'episode_id' | 'receipt_hash'>;

/**
 * Which episodes are in one of two slices of a project and not in the other. Throws `not_found` for either, and as
 * `understandQuery` where the query is asked again.
 */
export async function diffSlices(
  store: Store,
  call: Call,
  { with: other, limit, ...key }: SliceComparison,
): Promise<SliceDiff> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const row = await sliceRows.getSlice(scope, key);
  if (row === null) throw noSlice();
  const theirs =
    other === undefined
      ? await foundNow(store, scope, row)
      : await membersOf(scope, { ...key, slice_id: other });
  const ours = await sliceRows.allMembers(scope, row.id);
  return { slice_id: row.id, with: other ?? null, ...compare(ours, theirs, limit) };
}

async function membersOf(scope: TenantScope, key: SliceKey): Promise<readonly Member[]> {
  if ((await sliceRows.getSlice(scope, key)) === null) throw noSlice();
  return sliceRows.allMembers(scope, key.slice_id);
}

/** A slice that was cut short is compared with as many. */
async function foundNow(store: Store, scope: TenantScope, row: SliceRow): Promise<readonly Member[]> {
  const { query, coverage, project_id } = sliceOf(row);
  if ('failures' in query) {
    const scored = await scoreImport(store, scope, { project_id, ...query.failures });
    return (await membersOfGaps(scope, scored)).members;
  }
  const { search } = await understandQuery(scope, project_id, query);
  const most = row.episodes < coverage.ranked ? row.episodes : 100_000;
  return most === 0 ? [] : searchRows.bestMembers(scope, search, most);
}

function compare(ours: readonly Member[], theirs: readonly Member[], limit: number) {
  const receipts = new Map(theirs.map(({ episode_id, receipt_hash }) => [episode_id, receipt_hash]));
  const own = new Set(ours.map(({ episode_id }) => episode_id));
  const both = ours.filter(({ episode_id }) => receipts.has(episode_id));
  const sideOf = (members: readonly Member[]) => ({
    episodes: members.length,
    episode_ids: members.slice(0, limit).map(({ episode_id }) => episode_id),
  });
  return {
    both: both.length,
    judged_again: both.filter(({ episode_id, receipt_hash }) => receipts.get(episode_id) !== receipt_hash)
      .length,
    only_here: sideOf(ours.filter(({ episode_id }) => !receipts.has(episode_id))),
    only_there: sideOf(theirs.filter(({ episode_id }) => !own.has(episode_id))),
  };
}

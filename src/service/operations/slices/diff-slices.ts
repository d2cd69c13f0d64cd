import type { SearchQuery, Slice, SliceDiff } from '#core/api';
import { type MemberRow, type SliceRow, type Store, searchRows, sliceRows, type TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { resolveQuery } from '../search/resolve-query.ts';
import type { SliceKey } from './manage-slices.ts';
import { gapMembers, scoreImport } from './score-failures.ts';
import { noSlice, sliceOf } from './views.ts';

/** A slice and what to compare it with. */
export interface SliceComparison extends SliceKey {
  /** The other slice; undefined compares with the current hits of the slice's own query. */
  readonly with?: string | undefined;
  /** Most episode ids listed per side. */
  readonly limit: number;
}

type Member = Pick<MemberRow, 'episode_id' | 'receipt_hash'>;

/**
 * Returns which members two slices of a project, or a slice and its query now, have in common and which only one has. Throws
 * `not_found` for either slice, and as `resolveQuery`.
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
      ? await findCurrentMembers(store, scope, row)
      : await readMembers(scope, { ...key, slice_id: other });
  const ours = await sliceRows.allMembers(scope, row.id);
  return { slice_id: row.id, with: other ?? null, ...compareMembers(ours, theirs, limit) };
}

async function readMembers(scope: TenantScope, key: SliceKey): Promise<readonly Member[]> {
  if ((await sliceRows.getSlice(scope, key)) === null) throw noSlice();
  return sliceRows.allMembers(scope, key.slice_id);
}

/** Returns the current hits of a slice's query; as many as the slice has if it was limited. */
async function findCurrentMembers(
  store: Store,
  scope: TenantScope,
  row: SliceRow,
): Promise<readonly Member[]> {
  const { query, coverage, ranked_by, project_id } = sliceOf(row);
  if ('failures' in query) {
    const scored = await scoreImport(store, scope, { project_id, ...query.failures });
    return (await gapMembers(scope, scored)).members;
  }
  const { search } = await resolveQuery(store, scope, project_id, rankedAlike(query, ranked_by));
  const maxMembers = row.episodes < coverage.ranked ? row.episodes : 100_000;
  return maxMembers === 0 ? [] : searchRows.bestMembers(scope, search, maxMembers);
}

/** Returns the query with texts compared as when the slice was made, by meaning or by words. */
function rankedAlike(query: SearchQuery, ranked_by: Slice['ranked_by']): SearchQuery {
  const { rank } = query;
  if (rank?.by !== 'text') return query;
  return { ...query, rank: { ...rank, match: ranked_by?.id === 'meaning' ? 'meaning' : 'words' } };
}

function compareMembers(ours: readonly Member[], theirs: readonly Member[], limit: number) {
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

import { AssayError } from '#core';
import type { SearchQuery } from '#core/api';
import { descriptors, type Span } from '#quality/search';
import { episodeRows, projectRows, type SearchScope, type Store, type TenantScope, vectorRows } from '#store';
import { recordedNames } from '../classes.ts';
import { noProject } from '../projects/views.ts';
import { resolveTextRanking } from './text-ranking.ts';

/** A resolved query, ready for the store. */
export interface ResolvedQuery {
  readonly search: SearchScope;
  readonly project: projectRows.FoundProject;
  /**
   * Time span of the reference episode that others are compared with; null for the whole episode, or if results are
   * not ranked by similarity.
   */
  readonly moment: Span | null;
  /** Why a text is ranked by words although no kind of match was requested; null if there is no reason to tell. */
  readonly note: string | null;
}

type LikeRank = Extract<NonNullable<SearchQuery['rank']>, { by: 'like' }>;

/**
 * Returns the project, filters and ranking of a query, ready for the store. Throws `not_found` for the project and the
 * reference episode, `not_ready` if no run has described that episode or texts cannot be compared by meaning,
 * `invalid_request` if it cannot be compared.
 */
export async function resolveQuery(
  store: Store,
  scope: TenantScope,
  project_id: string,
  { filter, rank }: SearchQuery,
): Promise<ResolvedQuery> {
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const { kind, object: classes, ...rest } = filter;
  const object = classes === undefined ? undefined : await recordedNames(scope, project_id, classes);
  const pinned = project.data_kind_override;
  // A pinned kind applies to every episode, so all pass or none does.
  const stream_kind = kind === undefined || pinned === null ? kind : kind.includes(pinned) ? undefined : [];
  const own = { project_id, filter: { ...rest, object, stream_kind } };
  if (rank === null) return { project, search: { ...own, ranking: { by: 'age' } }, moment: null, note: null };
  if (rank.by === 'text') {
    const { ranking, note } = await resolveTextRanking(store, scope, project, rank);
    return { project, search: { ...own, ranking }, moment: null, note };
  }
  const { ranking, moment } = await resolveLikeness(scope, project_id, rank);
  return { project, search: { ...own, ranking }, moment, note: null };
}

async function resolveLikeness(scope: TenantScope, project_id: string, rank: LikeRank) {
  const { descriptor, episode_id } = rank;
  if (descriptors.get(descriptor) === undefined) throw noDescriptor();
  const key = { project_id, episode_id, descriptor };
  const found = await vectorRows.getVector(scope, key);
  if (found === null) throw await explainMissingVector(scope, project_id, rank);
  if (found.vector === null)
    throw notComparable(rank, `the episode has no ${descriptor} descriptor: ${found.reason}`);
  const part = rank.moment === null ? null : await vectorRows.getMoment(scope, key, rank.moment);
  if (rank.moment !== null && part === null)
    throw notComparable(
      rank,
      'it has no moments in this time range; episodes shorter than 4 s are not split into moments',
    );
  const { version, layout } = found;
  const vector = part?.vector ?? found.vector;
  const ranking = {
    by: 'like',
    descriptor,
    version,
    layout,
    vector,
    episode_id,
    moments: part !== null,
  } as const;
  return { ranking, moment: part === null ? null : { from_s: part.from_s, to_s: part.to_s } };
}

const noDescriptor = (): AssayError =>
  new AssayError('invalid_request', 'unknown descriptor', {
    advice: `choose one of ${descriptors.ids.join(', ')}`,
    details: {
      errors: [{ pointer: '/body/rank/descriptor', message: `must be one of ${descriptors.ids.join(', ')}` }],
    },
  });

async function explainMissingVector(
  scope: TenantScope,
  project_id: string,
  rank: LikeRank,
): Promise<AssayError> {
  const { episode_id } = rank;
  if (!(await episodeRows.belongsToProject(scope, { project_id, episode_id })))
    return new AssayError('not_found', 'episode not found in the project', {
      advice: 'list the episodes with GET /v1/projects/{project_id}/episodes',
    });
  return new AssayError('not_ready', 'this episode has not been indexed for search yet', {
    advice: 'run its source again',
  });
}

const notComparable = ({ episode_id }: LikeRank, why: string): AssayError =>
  new AssayError('invalid_request', `cannot search for episodes similar to ${episode_id}: ${why}`, {
    advice: `use another descriptor (${descriptors.ids.join(', ')}) or another episode`,
    details: { errors: [{ pointer: '/body/rank', message: why }] },
  });

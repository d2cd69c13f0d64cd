import { significant } from '#core';
import type { FailureImport, SearchCoverage } from '#core/api';
import type { DescribedFailure, ScoredFailures, ScoringOptions } from '#quality/failures';
import { failureRows, type projectRows, type Store, sliceRows, type TenantScope } from '#store';
import { type Call, scopeOf } from '../call.ts';
import { type LoadedEpisodes, loadEpisodes } from '../curation/load-episodes.ts';
import { frameService } from '../episodes/media/frame-service.ts';
import { freezeSlice } from './manage-slices.ts';

/**
 * Rates each failure as near to the project's baseline episodes or novel, in a worker thread, and returns the ratings with the
 * episodes nearest to the near ones. Episodes held out for evaluation are not part of the baseline. Throws `busy`,
 * `limit_exceeded`.
 */
export function scoreFailuresInThread(
  store: Store,
  { episodes }: Pick<LoadedEpisodes, 'episodes'>,
  failures: readonly DescribedFailure[],
  options: ScoringOptions,
): Promise<ScoredFailures> {
  const training = episodes.filter(({ held_out }) => held_out === undefined);
  const compared = training.map(({ id, decision, outcome, task, motion, layouts }) => {
    return {
      ...{ id, decision, outcome, task },
      ...(motion === undefined ? {} : { motion }),
      ...(layouts === undefined ? {} : { layouts }),
    };
  });
  return frameService(store).readers.do({ type: 'score_failures', episodes: compared, failures, options });
}

/** Returns the baseline and the nearest episodes of a result, with the ids of the episodes in place of their plan names. */
export function toEpisodeIds(
  { baseline, gaps }: ScoredFailures,
  { ids }: Pick<LoadedEpisodes, 'ids'>,
): ScoredGaps {
  return {
    baseline,
    gaps: gaps.map(({ id, distance }) => ({ episode_id: ids.get(id) ?? id, distance })),
  };
}

/**
 * Scores the failures of an import against the project's current episodes, and returns the baseline and the episodes nearest
 * to them.
 */
export async function scoreImport(
  store: Store,
  scope: TenantScope,
  {
    project_id,
    import_id,
    ...options
  }: ScoringOptions & { readonly project_id: string; readonly import_id: string },
): Promise<ScoredGaps> {
  const loaded = await loadEpisodes(scope, project_id, { samples: false });
  const names = new Map([...loaded.ids].map(([name, id]) => [id, name]));
  const failures = (await failureRows.listImportFailures(scope, import_id)).map((row): DescribedFailure => {
    const { record_id: id, by, layout, reason, vector, episode_id } = row;
    return {
      ...{ id, by, layout, reason },
      vector: vector === null ? null : Float32Array.from(JSON.parse(vector)),
      episode: episode_id === null ? null : (names.get(episode_id) ?? null),
    };
  });
  return toEpisodeIds(await scoreFailuresInThread(store, loaded, failures, options), loaded);
}

/** Result of scoring an import: the baseline, and the nearest episodes with their distances. */
interface ScoredGaps {
  readonly baseline: FailureImport['baseline'];
  readonly gaps: readonly { readonly episode_id: string; readonly distance: number }[];
}

const failureRanking = {
  id: 'failures',
  version: 1,
  says: 'similarity of an episode to the nearest failure inside the training distribution',
  exact: true,
  moment: null,
};

/**
 * Converts the episodes nearest to failures to slice members with their current receipts and the score (1 + cosine)
 * / 2, and counts all other episodes as not ranked. Episodes that no longer have a receipt are not members.
 */
export async function gapMembers(scope: TenantScope, { gaps, baseline }: ScoredGaps) {
  const hashes = await sliceRows.receiptHashes(
    scope,
    gaps.map(({ episode_id }) => episode_id),
  );
  const members = gaps.flatMap(({ episode_id, distance }) => {
    const receipt_hash = hashes.get(episode_id);
    return receipt_hash === undefined
      ? []
      : [{ episode_id, receipt_hash, score: Math.max(0, significant(1 - (distance * distance) / 4)) }];
  });
  const others = baseline.episodes - members.length;
  const coverage: SearchCoverage = {
    matched: baseline.episodes,
    ranked: members.length,
    not_ranked:
      others === 0 ? [] : [{ reason: 'not among the episodes nearest to a failure', episodes: others }],
  };
  return { members, coverage };
}

/**
 * Stores the nearest episodes of an import's near failures as a slice and returns its id. Call it within a
 * transaction.
 */
export async function insertGapSlice(
  store: Store,
  call: Call,
  project: projectRows.FoundProject,
  {
    name,
    scored,
    ...failures
  }: {
    readonly name: string;
    readonly scored: ScoredGaps;
    readonly import_id: string;
    readonly neighbours: number;
    readonly novel_from: number;
  },
): Promise<string> {
  const scope = { ...scopeOf(store, call), database: store.database };
  const query = { failures };
  const { members, coverage } = await gapMembers(scope, scored);
  const row = await freezeSlice(store, call, project, {
    name: `Nearest to failures: ${name}`.slice(0, 200),
    query,
    ranked_by: failureRanking,
    coverage,
    members,
  });
  return row.id;
}

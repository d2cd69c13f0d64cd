import type { EpisodeComparison } from '#core/api';
import { projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import {
  type Chosen,
  composeSide,
  durationEdges,
  type JudgedEpisode,
  judgedEpisodes,
} from './compose-side.ts';

export interface Comparison {
  readonly project_id: string;
  readonly one: Chosen;
  readonly other: Chosen;
}

/** Changed episodes that are listed. */
const mostListed = 500;

/**
 * Holds the episodes of a run or a slice against those of another: what each is made of, and which episodes of both were
 * judged otherwise. Throws `not_found`, `limit_exceeded`.
 */
export async function compareEpisodes(
  store: Store,
  call: Call,
  { project_id, one, other }: Comparison,
): Promise<EpisodeComparison> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, project_id)) === null) throw noProject();
  const left = await judgedEpisodes(store, scope, project_id, one);
  const right = await judgedEpisodes(store, scope, project_id, other);
  const edges = durationEdges([left, right]);
  return {
    project_id,
    one: composeSide(one, left, edges),
    other: composeSide(other, right, edges),
    ...changesOf(left, right),
  };
}

function changesOf(left: readonly JudgedEpisode[], right: readonly JudgedEpisode[]) {
  const there = new Map(right.map((episode) => [episode.id, episode]));
  const both = left.flatMap((one) => {
    const other = there.get(one.id);
    return other === undefined ? [] : [{ one, other }];
  });
  const decided = both.filter(({ one, other }) => one.decision !== other.decision);
  const flagged = both.filter(({ one, other }) => flagsOf(one) !== flagsOf(other));
  const changed = new Set([...byName(decided), ...byName(flagged)]);
  return {
    both: both.length,
    only_one: left.length - both.length,
    only_other: right.length - both.length,
    decided_otherwise: decided.length,
    flagged_otherwise: flagged.length,
    changes: [...changed].slice(0, mostListed).map(({ one, other }) => ({
      ...{ episode_id: one.id, name: one.name },
      ...{ one: judged(one), other: judged(other) },
    })),
  };
}

interface Pair {
  readonly one: JudgedEpisode;
  readonly other: JudgedEpisode;
}

const byName = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.toSorted(({ one: a }, { one: b }) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1,
  );

const flagsOf = ({ flags }: JudgedEpisode): string => [...new Set(flags)].sort().join(' ');

const judged = ({ decision, score, flags }: JudgedEpisode) => ({ decision, score, flags: [...flags] });

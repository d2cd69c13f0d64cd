import type { ProjectSummary } from '#core/api';
import { episodePages, findingRows, projectRows, type Store, summaryRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import type { EpisodeQuery } from './list-episodes.ts';
import { summaryText } from './summary-text.ts';
import { summaryOf } from './views.ts';

export type SummaryQuery = Omit<EpisodeQuery, 'sort' | 'limit' | 'cursor'>;

const worstShown = 5;

/** What there is to say of a project's episodes, or of those that pass filters, as facts and in words. Throws `not_found`. */
export async function summariseProject(
  store: Store,
  call: Call,
  { project_id, kind, ...filter }: SummaryQuery,
): Promise<ProjectSummary> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const pinned = project.data_kind_override;
  const none = pinned !== null && kind !== undefined && !kind.includes(pinned);
  const chosen = {
    ...filter,
    stream_kind: pinned === null ? kind : undefined,
    // No episode is of another kind than the pinned one.
    ...(none ? { source_id: [] } : {}),
  };
  const facts = await summaryRows.summariseEpisodes(scope, project_id, chosen);
  const worst = await episodePages.listEpisodes(scope, {
    ...chosen,
    ...{ project_id, sort: 'score' as const, after: null, limit: worstShown },
  });
  const { unscored, lowest_score, median_score, highest_score, reviewed, overruled, decisions } = facts;
  const decided = { accept: 0, review: 0, reject: 0 };
  for (const { value, episodes } of decisions) decided[value] = episodes;
  const said = {
    ...{ project_id, episodes: facts.episodes, duration_s: facts.duration_s, sources: facts.sources },
    ...{ tasks: facts.tasks, decisions: decided, reviews: { reviewed, overruled } },
    score: { lowest: lowest_score, median: median_score, highest: highest_score, unscored },
    kinds:
      pinned === null
        ? [...facts.kinds]
        : facts.episodes === 0
          ? []
          : [{ value: pinned, episodes: facts.episodes }],
    ...{ outcomes: [...facts.outcomes], robots: [...facts.robots], flags: [...facts.flags] },
    findings: await findingRows.countFindings(scope, project_id),
    worst: (worst?.episodes ?? []).map((row) => summaryOf(row, project_id, pinned)),
  };
  return { ...said, text: summaryText(said) };
}

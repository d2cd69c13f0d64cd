import type { ProjectSummary } from '#core/api';
import type { Kind } from '#core/episode';
import { codeTitle, kindTitle } from '#core/titles';
import { type EpisodeFilter, episodePages, findingRows, projectRows, type Store, summaryRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import type { EpisodeQuery } from './list-episodes.ts';
import { summaryOf } from './views.ts';

/** Filters of a project summary. */
export type SummaryQuery = Omit<EpisodeQuery, 'sort' | 'limit' | 'cursor'>;

const maxWorst = 5;

/** Summarises a project's episodes, or those that pass the filters, as facts and as text. Throws `not_found`. */
export async function summariseProject(
  store: Store,
  call: Call,
  { project_id, ...filter }: SummaryQuery,
): Promise<ProjectSummary> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const pinned = project.data_kind_override;
  const chosen = pinnedFilter(filter, pinned);
  const facts = await summaryRows.summariseEpisodes(scope, project_id, chosen);
  const worst = await episodePages.listEpisodes(scope, {
    ...chosen,
    ...{ project_id, sort: 'score' as const, after: null, limit: maxWorst },
  });
  const { unscored, lowest_score, median_score, highest_score, score_histogram } = facts;
  const { reviewed, overruled, decisions, accepted, rejected } = facts;
  const decided = { accept: 0, review: 0, reject: 0 };
  for (const { value, episodes } of decisions) decided[value] = episodes;
  const summaryFacts = {
    ...{ project_id, episodes: facts.episodes, duration_s: facts.duration_s, sources: facts.sources },
    ...{ tasks: facts.tasks, decisions: decided, reviews: { reviewed, overruled } },
    effective_decisions: {
      accept: accepted,
      review: facts.episodes - accepted - rejected,
      reject: rejected,
    },
    score: {
      ...{ lowest: lowest_score, median: median_score, highest: highest_score, unscored },
      histogram: [...score_histogram],
    },
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
  return { ...summaryFacts, text: writeSummary(summaryFacts) };
}

/**
 * Converts the filters of a request to those of the store; if the project's kind is pinned, a filter of kinds lets all
 * episodes pass or none.
 */
export function pinnedFilter(
  { kind, ...filter }: Omit<SummaryQuery, 'project_id'>,
  pinned: Kind | null,
): EpisodeFilter {
  const none = pinned !== null && kind !== undefined && !kind.includes(pinned);
  return {
    ...filter,
    stream_kind: pinned === null ? kind : undefined,
    ...(none ? { source_id: [] } : {}),
  };
}

type Facts = Omit<ProjectSummary, 'text'>;

/** Returns a summary as one paragraph; equal facts give equal text on every machine. */
function writeSummary(facts: Facts): string {
  if (facts.episodes === 0) return 'No episodes. Start a run or change the filters.';
  return [
    extent(facts),
    decisions(facts),
    scores(facts),
    flags(facts),
    worst(facts),
    reviews(facts),
    findings(facts),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function extent({ episodes, duration_s, sources, tasks, kinds }: Facts): string {
  const [kind] = kinds;
  const sort =
    kinds.length === 1
      ? `, all of the kind ${kindTitle(kind.value)}`
      : `, mostly of the kind ${kindTitle(kind.value)} (${share(kind.episodes, episodes)})`;
  const work = tasks === 0 ? 'without task descriptions' : `with ${count(tasks, 'distinct task')}`;
  return `${count(episodes, 'episode')} from ${count(sources, 'source')}, ${time(duration_s)} in total, ${work}${sort}.`;
}

function decisions({ episodes, decisions: { accept, review, reject } }: Facts): string {
  const part = (many: number, word: string) => `${many} ${word} (${share(many, episodes)})`;
  return `${part(accept, 'accepted')}, ${part(review, 'to review')}, ${part(reject, 'rejected')}.`;
}

function scores({ score: { lowest, median, highest, unscored } }: Facts): string {
  const without = unscored === 0 ? '' : ` ${count(unscored, 'episode')} could not be scored.`;
  if (lowest === null || median === null || highest === null) return without.trim();
  return `Scores range from ${fixed(lowest)} to ${fixed(highest)}, median ${fixed(median)}.${without}`;
}

function flags({ flags: raised, episodes }: Facts): string {
  if (raised.length === 0) return 'No flags.';
  const named = raised
    .slice(0, 3)
    .map((flag) => `${codeTitle(flag.value)} (${share(flag.episodes, episodes)})`);
  const more = raised.length > 3 ? ` and ${raised.length - 3} more` : '';
  return `Flags, most frequent first: ${named.join(', ')}${more}.`;
}

function worst({ worst: [first] }: Facts): string {
  if (first === undefined || first.decision === 'accept') return '';
  const where = first.dataset_path === '.' ? first.name : `${first.dataset_path}/${first.name}`;
  const why = first.flags.length === 0 ? '' : `, flags ${first.flags.map(codeTitle).join(', ')}`;
  return `Worst episode: ${where}, ${first.score === null ? 'no score' : `score ${fixed(first.score)}`}${why}.`;
}

function reviews({ reviews: { reviewed, overruled } }: Facts): string {
  if (reviewed === 0) return 'No episodes reviewed.';
  return `${count(reviewed, 'episode')} reviewed, ${overruled} with a decision that differs from the checks.`;
}

function findings({ findings: { error, warning } }: Facts): string {
  if (error + warning === 0) return '';
  return `Dataset findings: ${count(error, 'error')} and ${count(warning, 'warning')}.`;
}

const count = (many: number, word: string): string => `${many} ${word}${many === 1 ? '' : 's'}`;
const fixed = (score: number): string => score.toFixed(2);

/** Returns a rounded percentage; never 0 % for some episodes, never 100 % for fewer than all. */
function share(some: number, all: number): string {
  const percent = Math.round((100 * some) / all);
  if (some > 0 && percent === 0) return 'under 1 %';
  if (some < all && percent === 100) return 'over 99 %';
  return `${percent} %`;
}

function time(duration_s: number): string {
  if (duration_s < 120) return `${duration_s.toFixed(1)} s`;
  return duration_s < 7200 ? `${(duration_s / 60).toFixed(1)} min` : `${(duration_s / 3600).toFixed(1)} h`;
}

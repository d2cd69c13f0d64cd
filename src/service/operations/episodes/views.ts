import { AssayError } from '#core';
import type { Episode, EpisodeSummary, Review } from '#core/api';
import type { Kind } from '#core/episode';
import type { EpisodeItemRow, episodeRows } from '#store';

type SummaryRow = Omit<EpisodeItemRow, 'value' | 'created_at' | 'updated_at' | 'reviewed_at'> & {
  /** Time as the database writes it, with an offset. */
  readonly created_at: string | Date;
  readonly updated_at: string | Date;
  readonly reviewed_at: string | Date | null;
};

/**
 * Converts an episode row to its API summary. `pinned_kind` is the project's pinned kind, which replaces the kind of
 * every episode.
 */
export function summaryOf(row: SummaryRow, project_id: string, pinned_kind: Kind | null): EpisodeSummary {
  return {
    id: row.id,
    project_id,
    source_id: row.source_id,
    run_id: row.run_id,
    receipt_id: row.receipt_id,
    dataset_path: row.dataset_path,
    name: row.name,
    index: row.index,
    format: row.format,
    kind: pinned_kind ?? row.stream_kind,
    decision: row.decision,
    score: row.score,
    graded_fraction: row.graded_fraction,
    duration_s: row.duration_s,
    start_ns: row.start_ns,
    robot: row.robot,
    task: row.task,
    outcome: row.outcome,
    flags: row.flags,
    tags: row.tags,
    review_decision: row.review_decision,
    reviewed_at: row.reviewed_at === null ? null : utc(row.reviewed_at),
    created_at: utc(row.created_at),
    updated_at: utc(row.updated_at),
  };
}

/**
 * Converts a time to ISO 8601 in UTC. Database text that is in UTC is only reformatted, because long lists pass many
 * times.
 */
function utc(time: string | Date): string {
  if (typeof time !== 'string' || time[10] !== ' ' || !time.endsWith('+00'))
    return new Date(time).toISOString();
  const fraction = time.slice(20, Math.max(20, Math.min(23, time.length - 3)));
  return `${time.slice(0, 10)}T${time.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

/** Converts a review row to the API view; it is current if it was made on `current_receipt_id`. */
export function reviewOf(row: Omit<episodeRows.ReviewRow, 'tenant_id'>, current_receipt_id: string): Review {
  return {
    id: row.id,
    episode_id: row.episode_id,
    decision: row.decision,
    note: row.note,
    receipt_id: row.receipt_id,
    current: row.receipt_id === current_receipt_id,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
    withdrawn_by: row.withdrawn_by,
  };
}

/** Returns the API links of an episode. */
export function linksOf({ id, run_id, source_id, project_id }: episodeRows.EpisodeRow): Episode['links'] {
  const own = `/v1/episodes/${id}`;
  return {
    receipt: `${own}/receipt`,
    streams: `${own}/streams`,
    reviews: `${own}/reviews`,
    annotations: `/v1/projects/${project_id}/episodes/${id}/annotations`,
    run: `/v1/runs/${run_id}`,
    source: `/v1/sources/${source_id}`,
    project: `/v1/projects/${project_id}`,
  };
}

/** Returns the error `not_found`, the same whether the episode is missing or belongs to another tenant. */
export const noEpisode = (): AssayError =>
  new AssayError('not_found', 'episode not found', {
    advice: 'list the episodes with GET /v1/projects/{project_id}/episodes',
  });

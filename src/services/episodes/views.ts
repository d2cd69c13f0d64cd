import type { EpisodeSummary } from '#contract';
import type { Kind } from '#episode';
import { AssayError } from '#kernel';
import type { EpisodeItemRow } from '#store';

/** An episode as lists show it. `pinned_kind` is the project's, which stands for that of every episode. */
export function summaryOf(row: EpisodeItemRow, project_id: string, pinned_kind: Kind | null): EpisodeSummary {
  const { value, stream_kind, derived_kind, kind, reviewed_at, created_at, updated_at, ...same } = row;
  return {
    ...same,
    project_id,
    kind: pinned_kind ?? stream_kind,
    reviewed_at: reviewed_at === null ? null : utc(reviewed_at),
    created_at: utc(created_at),
    updated_at: utc(updated_at),
  };
}

/** The database writes times into JSON with an offset. */
const utc = (time: string): string => new Date(time).toISOString();

/** For an absent episode and another tenant's alike. */
export const noEpisode = (): AssayError =>
  new AssayError('not_found', 'there is no episode of this id', {
    advice: 'GET /v1/projects/{project_id}/episodes lists them',
  });

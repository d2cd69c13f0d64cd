import type { TenantScope } from '../../tenant-scope.ts';
import type { EpisodeFilter } from '../episode-pages.ts';
import { countedSummary } from './counted-summary.ts';
import { keptSummary } from './kept-summary.ts';
import type { ProjectSummary } from './project-summary.ts';

export type { ProjectSummary, Share } from './project-summary.ts';

/**
 * Counts over the project's episodes that pass a filter. Of all of them they are kept; what passes a filter is counted
 * in steps, between which others have their turn.
 */
export function summariseEpisodes(
  scope: TenantScope,
  project_id: string,
  filter: EpisodeFilter,
): Promise<ProjectSummary> {
  const all = Object.values(filter).every((value) => value === undefined);
  return all ? keptSummary(scope, project_id) : countedSummary(scope, project_id, filter);
}

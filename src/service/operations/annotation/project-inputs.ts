import type { Kind } from '#core/episode';
import { type EpisodeSize, type LayerInputs, type LayerRow, readStoredSettings } from '#labels/annotation';
import { targetProfile } from '#quality/catalog';
import { projectCountRows, type projectRows, type TenantScope } from '#store';
import { kindOf } from '../projects/kind-of.ts';
import { storedUseCase } from '../workspaces/views.ts';

/** What decides a project's layers, and what its episodes are like. */
export interface ProjectInputs extends LayerInputs {
  /** The pinned kind, else that of most episodes; null where there is neither. */
  readonly data_kind: Kind | null;
  readonly episodes: number;
  /** A mean episode among those that can carry a layer. */
  readonly size: (layer: LayerRow) => EpisodeSize;
}

/** An episode to reckon with before there is any. */
const usualSize: EpisodeSize = { duration_s: 10, cameras: 1 };

/** What of a project decides it. */
export type InputsRow = Pick<
  projectRows.ProjectRow,
  | 'use_case'
  | 'target_profile'
  | 'data_kind_override'
  | 'annotation_settings'
  | 'workspace_annotation_settings'
>;
type Count = Omit<projectCountRows.EpisodeCount, 'project_id' | 'reviewed'>;

export async function projectInputs(
  scope: TenantScope,
  project: projectRows.ProjectRow,
): Promise<ProjectInputs> {
  return inputsOf(project, await projectCountRows.countEpisodes(scope, [project.id]));
}

/** The same of a project and its counts that were read already. */
export function inputsOf(project: InputsRow, counts: readonly Count[]): ProjectInputs {
  const pinned_kind = project.data_kind_override;
  const { effective: data_kind, counts: kinds } = kindOf(pinned_kind, counts);
  return {
    data_kind,
    project: readStoredSettings(project.annotation_settings),
    workspace: readStoredSettings(project.workspace_annotation_settings),
    capabilities: storedUseCase(project.use_case).capabilities,
    target_layers: targetProfile(project.target_profile).pipeline_steps.flatMap(({ layers }) => layers),
    kinds: Object.fromEntries(kinds.map(({ kind, episodes }) => [kind, episodes])),
    pinned_kind,
    episodes: sum(counts, 'episodes'),
    size: (layer) =>
      meanSize(counts.filter(({ derived }) => layer.unfit[pinned_kind ?? derived] === undefined)),
  };
}

function meanSize(counts: readonly Count[]): EpisodeSize {
  const episodes = sum(counts, 'episodes');
  if (episodes === 0) return usualSize;
  return { duration_s: sum(counts, 'duration_s') / episodes, cameras: sum(counts, 'cameras') / episodes };
}

const sum = (counts: readonly Count[], member: 'episodes' | 'duration_s' | 'cameras'): number =>
  counts.reduce((all, row) => all + row[member], 0);

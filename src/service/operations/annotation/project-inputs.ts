import type { Kind } from '#core/episode';
import { type EpisodeSize, type LayerInputs, type LayerRow, readStoredSettings } from '#labels/annotation';
import { targetProfile } from '#quality/use-cases';
import { type PictureMeans, projectCountRows, type projectRows, type TenantScope } from '#store';
import { deriveKind } from '../projects/views.ts';
import { storedUseCase } from '../use-cases.ts';

/** Settings that decide which layers a project runs, with the number and size of its episodes. */
export interface ProjectInputs extends LayerInputs {
  /** The pinned kind, else the kind of most episodes; null if there is neither. */
  readonly data_kind: Kind | null;
  readonly episodes: number;
  /** Returns the mean size of the episodes whose kind fits the layer; a default size if there are none. */
  readonly size: (layer: LayerRow) => EpisodeSize;
}

/** Episode size for estimates while a project has no episodes. */
const defaultEpisodeSize: EpisodeSize = { duration_s: 10, cameras: 1, pictures: 300, picture_mpx: null };

/** Columns of a project that decide its layers. */
export type ProjectSettingsRow = Pick<
  projectRows.ProjectRow,
  | 'use_case'
  | 'target_profile'
  | 'data_kind_override'
  | 'annotation_settings'
  | 'workspace_annotation_settings'
>;
type EpisodeCount = Omit<projectCountRows.EpisodeCount, 'project_id' | 'reviewed'>;

/** Reads the episode counts of a project and combines them with its settings. `pictures`: needed for sizes only. */
export async function readProjectInputs(
  scope: TenantScope,
  project: projectRows.ProjectRow,
  pictures: PictureMeans | null = null,
): Promise<ProjectInputs> {
  const counts = await projectCountRows.countEpisodes(scope, [project.id]);
  return toProjectInputs(project, counts, pictures);
}

/** Combines the settings of a project with episode counts and picture means that were read before. */
export function toProjectInputs(
  project: ProjectSettingsRow,
  counts: readonly EpisodeCount[],
  pictures: PictureMeans | null,
): ProjectInputs {
  const pinned_kind = project.data_kind_override;
  const { effective: data_kind, counts: kinds } = deriveKind(pinned_kind, counts);
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
      meanSize(
        counts.filter(({ derived }) => layer.unfit[pinned_kind ?? derived] === undefined),
        pictures,
      ),
  };
}

function meanSize(counts: readonly EpisodeCount[], means: PictureMeans | null): EpisodeSize {
  const episodes = sum(counts, 'episodes');
  if (episodes === 0) return defaultEpisodeSize;
  return {
    duration_s: sum(counts, 'duration_s') / episodes,
    cameras: sum(counts, 'cameras') / episodes,
    pictures: means?.pictures ?? 0,
    picture_mpx: means?.picture_mpx ?? null,
  };
}

const sum = (counts: readonly EpisodeCount[], member: 'episodes' | 'duration_s' | 'cameras'): number =>
  counts.reduce((all, row) => all + row[member], 0);

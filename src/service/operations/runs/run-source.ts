import type { ReadinessSettings } from '#core/api';
import type { Kind } from '#core/episode';
import { projectModels, recordingsOf } from '#engine';
import type { RecordingsRef } from '#io/sources';
import { layerOf, resolveLayers } from '#labels/annotation';
import { projectCountRows, projectRows, type RunLayer, type Store, sourceRows } from '#store';
import { type ProjectInputs, projectInputs } from '../annotation/project-inputs.ts';
import type { ModelsHere } from '../annotation/tokens-usd.ts';
import { type Call, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { effectiveSettings } from '../readiness/effective-settings.ts';
import { noSource } from '../sources/views.ts';

/** What a run would be made of, as things are now. */
export interface RunSource {
  readonly project_id: string;
  readonly source_id: string;
  readonly recordings: RecordingsRef;
  readonly settings: ReadinessSettings;
  readonly kind: Kind | null;
  readonly layers: readonly RunLayer[];
  readonly inputs: ProjectInputs;
  /** Surfaces whose model can be run here, with it. */
  readonly runnable: ModelsHere;
  /** Whether episodes of the project were recorded with a depth camera. */
  readonly recorded_depth: boolean;
}

/** Throws `not_found` for a project or a source of another, and as `recordingsOf`. */
export async function loadRunSource(
  store: Store,
  call: Call,
  { project_id, source_id }: { readonly project_id: string; readonly source_id: string },
): Promise<RunSource> {
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const source = await sourceRows.getSource(scope, source_id);
  if (source === null || source.project_id !== project_id) throw noSource();
  const inputs = await projectInputs(scope, project);
  return {
    project_id,
    source_id,
    recordings: await recordingsOf(store, source),
    settings: effectiveSettings(project),
    kind: project.data_kind_override,
    layers: layersOfRun(inputs),
    inputs,
    runnable: await projectModels(store, project),
    recorded_depth: await projectCountRows.hasRecordedDepth(scope, project_id),
  };
}

/**
 * The layers that a run begun now would do, each on those of its episodes that can carry it: what the project holds so
 * far says nothing of a new source. A pinned kind stands for that of all.
 */
function layersOfRun(inputs: ProjectInputs): RunLayer[] {
  const { pinned_kind } = inputs;
  return resolveLayers(inputs)
    .filter(({ id, mode }) => {
      const fits = pinned_kind === null || layerOf(id).unfit[pinned_kind] === undefined;
      return mode === 'in_run' && fits;
    })
    .map(({ id, config }) => ({ ...unbegun, layer: id, config }));
}

const unbegun = { status: 'waiting', jobs: [], reason: null, compute_s: 0, cost_usd: 0 } as const;

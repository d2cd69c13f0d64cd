import type { AnnotationCoverage, AnnotationStatus } from '#core/api';
import {
  coverageOf,
  coveredIn,
  layerOf,
  layerState,
  layers,
  resolveLayers,
  surfacesHere,
  whyUnavailable,
} from '#labels/annotation';
import { type Inventory, modelWishes, runnableModels } from '#labels/models';
import type { StatusInputs, Store } from '#store';
import { storedUseCase } from '../workspaces/views.ts';
import { inputsOf } from './project-inputs.ts';

/** How each layer stands, from what is stored. */
export function statusView(
  store: Pick<Store, 'environment_models' | 'vision_endpoint'>,
  stored: StatusInputs,
  inventory: Inventory,
): AnnotationStatus {
  const inputs = inputsOf(stored, stored.counts);
  const { tenant_models } = stored;
  const use_case = storedUseCase(stored.use_case).id;
  const wishes = modelWishes(store, { use_case, tenant_models, project: inputs.project.models });
  const runnable = surfacesHere(runnableModels(wishes, inventory).keys(), stored.recorded_depth);
  const { last_run } = stored;
  const done = new Set(last_run?.layers);
  const jobs = new Map(stored.open_jobs.map(({ layer, id }) => [layer, id]));
  return {
    project_id: stored.id,
    episodes: inputs.episodes,
    last_run: last_run === null ? null : { id: last_run.id, finished_at: last_run.finished_at },
    layers: resolveLayers(inputs).map((layer) => {
      const row = layerOf(layer.id);
      const covered = coveredIn(coverageOf(row, inputs.kinds, inputs.pinned_kind, stored.annotations));
      const unavailable = whyUnavailable(row, runnable);
      const job_id = jobs.get(layer.id) ?? null;
      const { state, reason } = layerState({ layer, covered, unavailable, under_way: job_id !== null });
      return {
        layer: layer.id,
        state,
        reason,
        mode: layer.mode,
        covered_episodes: covered,
        applicable_episodes: layer.applicability.applicable_episodes,
        ran_in_last_run: done.has(layer.id),
        available: unavailable === null,
        unavailable_reason: unavailable,
        job_id,
      };
    }),
  };
}

/** How far each layer has come with each kind, and how good it is. */
export function coverageView(stored: StatusInputs): AnnotationCoverage {
  const inputs = inputsOf(stored, stored.counts);
  return {
    project_id: stored.id,
    layers: layers.rows.map((row) => ({
      layer: row.id,
      quality_signal: row.quality.signal,
      kinds: coverageOf(row, inputs.kinds, inputs.pinned_kind, stored.annotations).map((kind) => ({
        ...kind,
      })),
    })),
  };
}

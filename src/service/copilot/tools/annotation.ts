import type { AnnotationSettings } from '#core/api';
import {
  type Call,
  enqueueJob,
  getAnnotationSettings,
  getAnnotationStatus,
  getProject,
  previewJob,
  setAnnotationSettings,
} from '#service/operations';
import type { Store } from '#store';
import { defineTool, operationOf } from './define-tool.ts';
import { formatCount, formatMoney } from './words.ts';

const getAnnotationLayersOperation = operationOf('get_annotation_settings');

export const getAnnotationLayersTool = defineTool({
  id: 'get_annotation_layers',
  title: 'Get annotation layers',
  description:
    'Returns every annotation layer of a project: its mode (in_run, on_demand, off) and where it was set, whether it applies to the data, how many episodes have it, its settings, the presets, and the estimated annotation cost of the next run.',
  effect: 'read',
  operation: getAnnotationLayersOperation,
  input: getAnnotationLayersOperation,
  run: async (store, call, input) => {
    const [{ layers, presets, ...settings }, status] = await Promise.all([
      getAnnotationSettings(store, call, input),
      getAnnotationStatus(store, call, input),
    ]);
    const statusByLayer = new Map(status.layers.map(({ layer, mode: _, ...rest }) => [layer, rest]));
    const { models: _, ...rest } = settings;
    return {
      ...rest,
      episodes: status.episodes,
      last_run: status.last_run,
      layers: layers.map((layer) => ({ ...layer, ...statusByLayer.get(layer.id) })),
      presets: presets.map(({ id, title, summary, offered, reason }) => ({
        ...{ id, title, summary, offered, reason },
      })),
    };
  },
});

const setAnnotationLayersOperation = operationOf('set_annotation_settings');

export const setAnnotationLayersTool = defineTool({
  id: 'set_annotation_layers',
  title: 'Set annotation layers',
  description:
    'Changes the modes of a project’s annotation layers (by layer or by preset), their settings and their models. Omitted fields keep their values; an empty object resets a field to the value inherited from the workspace or use case. Out-of-range settings are clamped.',
  effect: 'write',
  operation: setAnnotationLayersOperation,
  input: setAnnotationLayersOperation,
  run: async (store, call, input) => {
    const { layers, cost_preview } = await changeLayers(store, call, input);
    return {
      layers: layers.map(({ id, mode, mode_from, mode_reason, applicable, knobs }) => ({
        ...{ id, mode, mode_from, mode_reason, applicable },
        knobs: Object.fromEntries(knobs.map((knob) => [knob.id, knob.value])),
      })),
      cost_preview,
    };
  },
});

const runAnnotationJobOperation = operationOf('enqueue_annotation_job');

export const runAnnotationJobTool = defineTool({
  id: 'run_annotation_job',
  title: 'Run an annotation job',
  description:
    'Queues an annotation job for the episodes of a project that do not have the layer, or for episode_ids. It costs money. Episodes that already have the layer are skipped unless force is set; if a job for the layer is open, that job is returned. Requires confirmation by a person.',
  effect: 'spend',
  operation: runAnnotationJobOperation,
  input: runAnnotationJobOperation,
  run: enqueueJob,
  confirmation: async (store, call, input) => {
    const { name } = await getProject(store, call, input);
    const { job, is_new } = await previewJob(store, call, input);
    const { layer, episodes, estimate_usd, narrowed_from } = job;
    const skipped =
      narrowed_from === null ? '' : `, of ${narrowed_from} requested; the others already have it`;
    const prompt = is_new
      ? `Annotate ${formatCount(episodes.total, 'episode')} of the project “${name}” with ${layer}${skipped}. Estimated cost: ${formatMoney(estimate_usd)}.`
      : `A job for ${layer} in the project “${name}” is already ${job.status}. No new job is queued.`;
    return {
      prompt,
      facts: {
        ...{ project_id: input.project_id, layer, episodes: episodes.total, estimate_usd },
        ...{ force: input.force, job_under_way: is_new ? null : job.id },
      },
    };
  },
});

type Change = Parameters<typeof setAnnotationSettings>[2];

/**
 * Changes the given members of a project's annotation settings, keeps the rest, so that a model can change a single layer, and
 * returns all settings. An empty object clears its member. Throws as `setAnnotationSettings`.
 */
export async function changeLayers(store: Store, call: Call, change: Change): Promise<AnnotationSettings> {
  const { project_id, modes, preset, config, models } = change;
  const stored = await getAnnotationSettings(store, call, { project_id });
  const merged: Change = {
    ...change,
    modes: preset === undefined ? mergeMembers(stored.project_modes, modes) : modes,
    config: config === undefined ? undefined : mergeKnobs(stored.project_config, config),
    models: mergeMembers(stored.project_models, models),
  };
  return setAnnotationSettings(store, call, merged);
}

type Members<Value> = Readonly<Record<string, Value>>;

function mergeMembers<Value, Change extends Members<Value>>(
  stored: Members<Value>,
  change: Change | undefined,
): Change | undefined {
  return change === undefined || isEmpty(change) ? change : { ...stored, ...change };
}

function mergeKnobs(stored: Members<object>, change: Members<unknown>): Members<unknown> {
  if (isEmpty(change)) return change;
  const changed = Object.entries(change).map(([layer, knobs]) => [
    layer,
    typeof knobs === 'object' && knobs !== null && !isEmpty(knobs) ? { ...stored[layer], ...knobs } : knobs,
  ]);
  return { ...stored, ...Object.fromEntries(changed) };
}

const isEmpty = (members: object): boolean => Object.keys(members).length === 0;

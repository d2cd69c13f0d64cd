import { AssayError } from '#core';
import type { JobLayerId, ModelSurfaceId, OnnxProviderWish, VisionEndpoint } from '#core/api';
import {
  coerceConfig,
  defaultConfig,
  type JobLayerRow,
  jobLayerOf,
  type Lane,
  type LayerConfig,
} from '#labels/annotation';
import { type ModelRef, modelRefs, modelWishes, recentInventory, runnableModels } from '#labels/models';
import { configHash, laneModel, modelSeparator } from '../../steps/annotate/lane-model.ts';

/** A layer that a person asked for, with the knobs that they set. */
export interface AskedLayer {
  readonly layer: JobLayerId;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Where models lie, and what whoever runs this has chosen among them. */
export interface ModelChoice {
  readonly data_folder: string;
  readonly environment_models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  readonly vision_endpoint?: VisionEndpoint;
  /** By what ONNX models are to be computed; absent: the best that is here. */
  readonly onnx_provider?: OnnxProviderWish;
}

/** A layer as it will be run. */
export interface ChosenLane {
  readonly row: JobLayerRow;
  readonly lane: Lane;
  readonly config: LayerConfig;
  readonly config_hash: string;
  readonly model: string | null;
  readonly refs: Readonly<Partial<Record<ModelSurfaceId, ModelRef>>>;
}

/** Layers as they can be run here. Throws `usage` for a knob that a layer does not have, `layer_unavailable`. */
export async function chooseLanes(
  asked: readonly AskedLayer[],
  models: ModelChoice,
): Promise<readonly ChosenLane[]> {
  const wishes = modelWishes(models, { use_case: null, tenant_models: null, project: {} });
  const runnable = runnableModels(wishes, await recentInventory(models.data_folder));
  return Promise.all(
    asked.map(async ({ layer, config: raw }) => {
      const row = jobLayerOf(layer);
      const config = knobsOf(row, raw);
      // Whether an episode holds depth is known when it is read; one that does not is told then.
      const recorded: ModelSurfaceId[] = row.needs.distances === undefined ? [] : ['depth'];
      const advice = 'name other layers, or see assay models list';
      const model = laneModel(row, runnable, { advice, recorded });
      const lane = row.lane!;
      const ids = model === null ? [] : model.split(modelSeparator);
      const refs = await modelRefs(models.data_folder, row.needs.surfaces, ids, models.vision_endpoint);
      return { row, lane, config, config_hash: configHash(row, lane, model, config), model, refs };
    }),
  );
}

/** A service drops what means nothing to a knob; a person who types it is told. */
function knobsOf(row: JobLayerRow, raw: Readonly<Record<string, unknown>>): LayerConfig {
  const config = coerceConfig(row, raw);
  for (const [id, value] of Object.entries(raw)) {
    const knob = Object.hasOwn(row.knobs, id) ? row.knobs[id] : undefined;
    if (knob === undefined)
      throw new AssayError('usage', `${row.id} has no knob ${id}`, {
        advice: `its knobs are ${Object.keys(row.knobs).join(', ') || 'none'}`,
      });
    const isClamped = 'minimum' in knob && config[id] !== Number(value);
    if (config[id] === undefined || isClamped)
      throw new AssayError('usage', `${row.id}.${id} cannot be ${JSON.stringify(value)}`, {
        advice: valuesOf(knob),
      });
  }
  return { ...defaultConfig(row), ...config };
}

function valuesOf(knob: JobLayerRow['knobs'][string]): string {
  if (knob.type === 'choice') return `it is one of ${knob.values.join(', ')}`;
  if (knob.type === 'flag') return 'it is true or false';
  if (knob.type === 'names') return 'it is a list of names';
  return `it is ${knob.type === 'integer' ? 'a whole number' : 'a number'} from ${knob.minimum} to ${knob.maximum}`;
}

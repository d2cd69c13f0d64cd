import { AssayError } from '#core';
import type { JobLayerId, ModelSurfaceId, OnnxProviderSetting, VisionEndpoint } from '#core/api';
import {
  coerceConfig,
  defaultConfig,
  describeValues,
  type JobLayerRow,
  jobLayerOf,
  type Lane,
  type LayerConfig,
  surfacesOf,
} from '#labels/annotation';
import {
  collectModelChoices,
  type ModelRef,
  recentInventory,
  resolveModelRefs,
  selectModels,
} from '#labels/models';
import { laneModel, modelSeparator } from '../../steps/annotate/lane-models.ts';

/** A requested layer with its settings. */
export interface RequestedLayer {
  readonly layer: JobLayerId;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Location and choice of models. */
export interface ModelChoice {
  readonly data_folder: string;
  readonly environment_models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  readonly vision_endpoint?: VisionEndpoint;
  /** ONNX execution provider; default: the best available. */
  readonly onnx_provider?: OnnxProviderSetting;
}

/** A layer with its resolved settings and models. */
export interface ChosenLane {
  readonly row: JobLayerRow;
  readonly lane: Lane;
  readonly config: LayerConfig;
  readonly refs: Readonly<Partial<Record<ModelSurfaceId, ModelRef>>>;
}

/**
 * Resolves each requested layer to its lane, complete settings and installed model. Throws `usage` for unknown or
 * invalid settings, `layer_unavailable` if nothing installed can run a layer.
 */
export async function chooseLanes(
  requested: readonly RequestedLayer[],
  models: ModelChoice,
): Promise<readonly ChosenLane[]> {
  const wishes = collectModelChoices(models, { use_case: null, tenant_models: null, project: {} });
  const selection = selectModels(wishes, await recentInventory(models.data_folder));
  return Promise.all(
    requested.map(async ({ layer, config: raw }) => {
      const row = jobLayerOf(layer);
      const config = parseKnobs(row, raw);
      // Whether an episode has depth is known only when it is read; one without depth fails then.
      const recorded: ModelSurfaceId[] = row.needs.distances === undefined ? [] : ['depth'];
      const advice = 'choose other layers, or run assay models list';
      const model = laneModel(row, config, selection, { advice, recorded });
      const lane = row.lane!;
      const ids = model === null ? [] : model.split(modelSeparator);
      const refs = await resolveModelRefs(models.data_folder, surfacesOf(row), ids, models.vision_endpoint);
      return { row, lane, config, refs };
    }),
  );
}

/**
 * Returns the settings of a layer, with defaults for those that are not given. Throws `usage` for unknown or invalid ones,
 * unlike the service, which ignores or clamps them.
 */
function parseKnobs(row: JobLayerRow, raw: Readonly<Record<string, unknown>>): LayerConfig {
  const config = coerceConfig(row, raw);
  for (const [id, value] of Object.entries(raw)) {
    const knob = Object.hasOwn(row.knobs, id) ? row.knobs[id] : undefined;
    if (knob === undefined)
      throw new AssayError('usage', `${row.id} has no setting ${id}`, {
        advice: `its settings: ${Object.keys(row.knobs).join(', ') || 'none'}`,
      });
    const isClamped = 'minimum' in knob && config[id] !== Number(value);
    if (config[id] === undefined || isClamped)
      throw new AssayError('usage', `invalid value for ${row.id}.${id}: ${JSON.stringify(value)}`, {
        advice: `use ${describeValues(knob)}`,
      });
  }
  return { ...defaultConfig(row), ...config };
}

import type { AnnotationSettings, ComputeDevice, PriceList } from '#core/api';
import { kinds } from '#core/episode';
import { findPrice } from '#engine/budget';
import {
  type EpisodeSize,
  type LayerConfig,
  type LayerRow,
  layerOf,
  missingForLayers,
  type PlannedTokens,
  previewCost,
  type ResolvedLayer,
  ratePresets,
  resolveLayers,
  type StoredSettings,
  surfacesOf,
  willExecute,
} from '#labels/annotation';
import { collectModelChoices, type Inventory, type MissingModels, selectModels } from '#labels/models';
import type { AnnotationInputs, MeasuredRate, Store } from '#store';
import { surfacesView } from '../models.ts';
import { storedUseCase } from '../use-cases.ts';
import { estimateLayer } from './estimate-layer.ts';
import { type ProjectInputs, toProjectInputs } from './project-inputs.ts';
import { computeEndpointCost, type RunnableModels } from './vision-endpoint.ts';

/**
 * Builds the API view of a project's annotation settings from the stored inputs and the installed models. `adjusted`:
 * settings of the request that were stored differently; empty for reads.
 */
export function settingsView(
  store: Pick<Store, 'prices' | 'environment_models' | 'vision_endpoint'>,
  row: AnnotationInputs,
  inventory: Inventory,
  adjusted: AnnotationSettings['adjusted'] = [],
): AnnotationSettings {
  const inputs = toProjectInputs(row, row.counts, row.pictures);
  const resolved = resolveLayers(inputs);
  const useCase = storedUseCase(row.use_case);
  const { project, workspace } = inputs;
  const { tenant_models } = row;
  const wishes = collectModelChoices(store, { use_case: useCase.id, tenant_models, project: project.models });
  const { runnable, missing: all } = selectModels(wishes, inventory);
  const missing = missingForLayers(all, row.recorded_depth);
  return {
    project_id: row.id,
    workspace_id: row.workspace_id,
    use_case: useCase.id,
    target_profile: row.target_profile,
    data_kind: inputs.data_kind,
    layers: resolved.map((one) => layerView(layerOf(one.id), one, { inputs, missing })),
    models: surfacesView(wishes, inventory),
    presets: ratePresets(useCase.presets, inputs).map(({ preset, ...fit }) => ({
      ...preset,
      modes: { ...preset.modes },
      ...fit,
    })),
    cost_preview: costView(resolved, { inputs, missing, runnable, rates: row.rates }, store.prices),
    workspace_modes: { ...workspace.modes },
    project_modes: { ...project.modes },
    workspace_config: storedConfig(workspace),
    project_config: storedConfig(project),
    project_models: { ...project.models },
    adjusted,
  };
}

/** A project's inputs and the models that cannot run on this machine. */
interface LayerContext {
  readonly inputs: ProjectInputs;
  readonly missing: MissingModels;
}

/** Returns a copy of the layer settings that a project or workspace stores itself, by layer. */
export const storedConfig = ({ config }: StoredSettings): AnnotationSettings['project_config'] =>
  Object.fromEntries(
    Object.entries(config).map(([layer, knobs]) => [
      layer,
      Object.fromEntries(Object.entries(knobs).map(([id, value]) => [id, toPlainValue(value)])),
    ]),
  );

function layerView(
  row: LayerRow,
  resolved: ResolvedLayer,
  { inputs, missing }: LayerContext,
): AnnotationSettings['layers'][number] {
  const { applicable, reason, applicable_episodes } = resolved.applicability;
  return {
    id: row.id,
    title: row.title,
    produces: row.produces,
    kinds: kinds.filter((kind) => row.unfit[kind] === undefined),
    surfaces: [...surfacesOf(row)],
    quality: { ...row.quality },
    export_formats: [...row.exports],
    servable: row.not_served === null,
    offered_modes: [...row.modes],
    mode: resolved.mode,
    mode_from: resolved.from,
    mode_reason: resolved.reason,
    asked_mode: resolved.asked,
    applicable,
    inapplicable_reason: reason,
    applicable_episodes,
    runs: willExecute(resolved, missing),
    knobs: Object.entries(row.knobs).map(([id, knob]) => ({
      id,
      ...knobFacts(knob),
      value: toPlainValue(resolved.config[id]),
      from: knobFrom(row, id, inputs),
    })),
  };
}

type KnobView = AnnotationSettings['layers'][number]['knobs'][number];
type Knob = LayerRow['knobs'][string];

function knobFacts(knob: Knob): Omit<KnobView, 'id' | 'value' | 'from'> {
  const { type, summary, moves_cost } = knob;
  const facts = { type, summary, moves_cost, default: toPlainValue(knob.default) };
  if (knob.type === 'choice') return { ...facts, values: [...knob.values] };
  if (knob.type === 'number' || knob.type === 'integer')
    return { ...facts, minimum: knob.minimum, maximum: knob.maximum, unit: knob.unit };
  return facts;
}

const toPlainValue = (value: Knob['default']): KnobView['value'] =>
  typeof value === 'object' ? [...value] : value;

function knobFrom(row: LayerRow, id: string, inputs: ProjectInputs): KnobView['from'] {
  const levels = ['project', 'workspace'] as const;
  return levels.find((level) => inputs[level].config[row.id]?.[id] !== undefined) ?? 'default';
}

/** Inputs of the cost preview. */
interface CostContext extends LayerContext {
  readonly runnable: RunnableModels;
  readonly rates: readonly MeasuredRate[];
}

function costView(
  resolved: readonly ResolvedLayer[],
  { inputs, missing, runnable, rates }: CostContext,
  prices: PriceList | undefined,
): AnnotationSettings['cost_preview'] {
  const usd_per_compute_s = ({ id }: LayerRow, device: ComputeDevice) => findPrice(prices, id, device);
  const estimate = (row: LayerRow, size: EpisodeSize, config: LayerConfig) =>
    estimateLayer({ row, size, config, episodes: 1 }, runnable, rates);
  const usd_of_tokens = (row: LayerRow, tokens: PlannedTokens) =>
    computeEndpointCost(prices, runnable, row, tokens);
  const { layers, per_episode_usd, projected_usd } = previewCost(resolved, {
    ...inputs,
    ...{ estimate, usd_per_compute_s, usd_of_tokens, missing },
  });
  return {
    layers: layers.map(({ layer, episodes, estimate, usd }) => ({
      layer,
      episodes,
      compute_s_per_episode: estimate.compute_s,
      usd_per_episode: usd,
      estimate,
      basis: estimate.basis,
    })),
    episodes: inputs.episodes,
    per_episode_usd,
    projected_usd,
  };
}

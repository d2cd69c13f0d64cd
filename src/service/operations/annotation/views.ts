import type { AnnotationSettings, ModelSurfaceId, PriceList } from '#core/api';
import { kinds } from '#core/episode';
import { priceOf } from '#engine/budget';
import {
  executes,
  type LayerRow,
  layerOf,
  type PlannedTokens,
  presetFits,
  previewCost,
  type ResolvedLayer,
  resolveLayers,
  type StoredSettings,
  surfacesHere,
} from '#labels/annotation';
import { type Inventory, modelWishes, runnableModels } from '#labels/models';
import type { AnnotationInputs, Store } from '#store';
import { surfacesView } from '../models/surface-view.ts';
import { storedUseCase } from '../workspaces/views.ts';
import { inputsOf, type ProjectInputs } from './project-inputs.ts';
import { type ModelsHere, tokensUsd } from './tokens-usd.ts';

/** The annotation settings of a project as they are answered, from what is stored of it and which models lie here. */
export function settingsView(
  store: Pick<Store, 'prices' | 'environment_models' | 'vision_endpoint'>,
  row: AnnotationInputs,
  inventory: Inventory,
): AnnotationSettings {
  const inputs = inputsOf(row, row.counts);
  const resolved = resolveLayers(inputs);
  const useCase = storedUseCase(row.use_case);
  const { project, workspace } = inputs;
  const { tenant_models } = row;
  const wishes = modelWishes(store, { use_case: useCase.id, tenant_models, project: project.models });
  const models = runnableModels(wishes, inventory);
  const runnable = surfacesHere(models.keys(), row.recorded_depth);
  return {
    project_id: row.id,
    workspace_id: row.workspace_id,
    use_case: useCase.id,
    target_profile: row.target_profile,
    data_kind: inputs.data_kind,
    layers: resolved.map((one) => layerView(layerOf(one.id), one, { inputs, runnable })),
    models: surfacesView(wishes, inventory),
    presets: presetFits(useCase.presets, inputs).map(({ preset, ...fit }) => ({
      ...preset,
      modes: { ...preset.modes },
      ...fit,
    })),
    cost_preview: costView(resolved, { inputs, runnable, models }, store.prices),
    workspace_modes: { ...workspace.modes },
    project_modes: { ...project.modes },
    workspace_config: storedConfig(workspace),
    project_config: storedConfig(project),
    project_models: { ...project.models },
  };
}

/** What there is to annotate, and surfaces whose model can be run here. */
interface Here {
  readonly inputs: ProjectInputs;
  readonly runnable: ReadonlySet<ModelSurfaceId>;
}

/** A project's or a workspace's own knobs, by layer. */
export const storedConfig = ({ config }: StoredSettings): AnnotationSettings['project_config'] =>
  Object.fromEntries(
    Object.entries(config).map(([layer, knobs]) => [
      layer,
      Object.fromEntries(Object.entries(knobs).map(([id, value]) => [id, plain(value)])),
    ]),
  );

function layerView(
  row: LayerRow,
  resolved: ResolvedLayer,
  { inputs, runnable }: Here,
): AnnotationSettings['layers'][number] {
  const { applicable, reason, applicable_episodes } = resolved.applicability;
  return {
    id: row.id,
    title: row.title,
    produces: row.produces,
    kinds: kinds.filter((kind) => row.unfit[kind] === undefined),
    surfaces: [...row.needs.surfaces],
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
    runs: executes(resolved, runnable),
    knobs: Object.entries(row.knobs).map(([id, knob]) => ({
      id,
      ...knobFacts(knob),
      value: plain(resolved.config[id]),
      from: knobFrom(row, id, inputs),
    })),
  };
}

type KnobView = AnnotationSettings['layers'][number]['knobs'][number];
type Knob = LayerRow['knobs'][string];

function knobFacts(knob: Knob): Omit<KnobView, 'id' | 'value' | 'from'> {
  const { type, summary, moves_cost } = knob;
  const facts = { type, summary, moves_cost, default: plain(knob.default) };
  if (knob.type === 'choice') return { ...facts, values: [...knob.values] };
  if (knob.type === 'number' || knob.type === 'integer')
    return { ...facts, minimum: knob.minimum, maximum: knob.maximum, unit: knob.unit };
  return facts;
}

const plain = (value: Knob['default']): KnobView['value'] => (typeof value === 'object' ? [...value] : value);

function knobFrom(row: LayerRow, id: string, inputs: ProjectInputs): KnobView['from'] {
  const levels = ['project', 'workspace'] as const;
  return levels.find((level) => inputs[level].config[row.id]?.[id] !== undefined) ?? 'default';
}

function costView(
  resolved: readonly ResolvedLayer[],
  { inputs, runnable, models }: Here & { readonly models: ModelsHere },
  prices: PriceList | undefined,
): AnnotationSettings['cost_preview'] {
  const usd_per_compute_s = ({ id }: LayerRow) => priceOf(prices, id, 'cpu');
  const usd_of_tokens = (row: LayerRow, tokens: PlannedTokens) => tokensUsd(prices, models, row, tokens);
  const { layers, per_episode_usd, projected_usd } = previewCost(resolved, {
    ...inputs,
    ...{ usd_per_compute_s, usd_of_tokens, runnable },
  });
  return {
    layers: layers.map(({ layer, episodes, compute_s, usd }) => ({
      layer,
      episodes,
      compute_s_per_episode: round(compute_s),
      usd_per_episode: round(usd),
      basis: 'planned',
    })),
    episodes: inputs.episodes,
    per_episode_usd: round(per_episode_usd),
    projected_usd: round(projected_usd),
  };
}

/** Money and seconds have six places. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6;

import type { ComputeEstimate } from '#core/api';
import type { MissingModels } from '#labels/models';
import type { LayerConfig } from '../knob.ts';
import type { EpisodeSize, LayerRow, PlannedTokens } from '../layer.ts';
import { layerOf } from '../layer-registry.ts';
import { willExecute } from '../layer-status.ts';
import type { ResolvedLayer } from './resolve-layers.ts';

/** Episode sizes of a project, and prices. */
export interface CostInputs {
  readonly episodes: number;
  /** Mean size of the episodes that can carry the layer. */
  readonly size: (layer: LayerRow) => EpisodeSize;
  /** Estimates the compute time of a layer on an episode. */
  readonly estimate: (layer: LayerRow, size: EpisodeSize, config: LayerConfig) => ComputeEstimate;
  /** Price of compute for a layer on a device, in US dollars per second. */
  readonly usd_per_compute_s: (layer: LayerRow, device: ComputeEstimate['device']) => number;
  /** Price of tokens that a layer uses of a vision endpoint, in US dollars; 0 without an endpoint. */
  readonly usd_of_tokens: (layer: LayerRow, tokens: PlannedTokens) => number;
  /** Surfaces whose selected model cannot run here. */
  readonly missing: MissingModels;
}

/** Estimated compute time and cost of a layer per applicable episode, and the number of these. */
interface LayerCost {
  readonly layer: ResolvedLayer['id'];
  readonly episodes: number;
  readonly estimate: ComputeEstimate;
  readonly usd: number;
}

/** Estimated cost of the layers that run in every run. */
export interface CostPreview {
  readonly layers: readonly LayerCost[];
  /** Mean over all episodes of the project; without episodes, the cost of a typical episode. */
  readonly per_episode_usd: number;
  readonly projected_usd: number;
}

/**
 * Estimates the cost that in-run layers add to a run over all episodes of a project, in total and per episode, by
 * layer; layers that cannot run here are left out.
 */
export function previewCost(
  resolved: readonly ResolvedLayer[],
  { episodes, size, estimate: estimateLayer, usd_per_compute_s, usd_of_tokens, missing }: CostInputs,
): CostPreview {
  const layers = resolved
    .filter((one) => willExecute(one, missing))
    .map(({ id, config, applicability }) => {
      const layer = layerOf(id);
      const estimate = estimateLayer(layer, size(layer), config);
      const tokens = layer.planned_tokens?.(size(layer), config);
      const usd =
        estimate.compute_s * usd_per_compute_s(layer, estimate.device) +
        (tokens === undefined ? 0 : usd_of_tokens(layer, tokens));
      return { layer: id, episodes: applicability.applicable_episodes, estimate, usd };
    });
  const projected_usd = layers.reduce((sum, one) => sum + one.usd * one.episodes, 0);
  const alone_usd = layers.reduce((sum, one) => sum + one.usd, 0);
  return { layers, projected_usd, per_episode_usd: episodes === 0 ? alone_usd : projected_usd / episodes };
}

import type { EpisodeSize, LayerConfig, LayerRow } from '../layer.ts';
import { layerOf } from '../layer-registry.ts';
import type { ResolvedLayer } from './resolve-layers.ts';

/** What computing a layer costs, as far as it is known. */
export interface LayerPrice {
  readonly usd_per_compute_s: number;
  /** Mean of what episodes took, in seconds of computing for each planned one; null before any was measured. */
  readonly measured_ratio: number | null;
}

interface LayerEstimate {
  readonly layer: ResolvedLayer['id'];
  readonly compute_s: number;
  readonly usd: number;
  readonly basis: 'planned' | 'measured';
}

/** Expected of one episode of a usual size. */
function estimateLayer(
  layer: LayerRow,
  config: LayerConfig,
  size: EpisodeSize,
  { usd_per_compute_s, measured_ratio }: LayerPrice,
): LayerEstimate {
  const compute_s = layer.planned_compute_s(size, config) * (measured_ratio ?? 1);
  return {
    layer: layer.id,
    compute_s,
    usd: compute_s * usd_per_compute_s,
    basis: measured_ratio === null ? 'planned' : 'measured',
  };
}

export interface CostPreview {
  readonly layers: readonly (LayerEstimate & { readonly episodes: number })[];
  /** Mean over the project's episodes; what a layer costs an episode that it applies to is in `layers`. */
  readonly per_episode_usd: number;
  readonly projected_usd: number;
}

/** What the layers that run by themselves add to a run over all the project's episodes. */
export function previewCost(
  resolved: readonly ResolvedLayer[],
  episodes: number,
  of: {
    /** A mean episode among those that can carry the layer. */
    readonly size: (layer: LayerRow) => EpisodeSize;
    readonly price: (layer: LayerRow) => LayerPrice;
  },
): CostPreview {
  const layers = resolved
    .filter((one) => one.runs)
    .map(({ id, config, applicability }) => {
      const layer = layerOf(id);
      const estimate = estimateLayer(layer, config, of.size(layer), of.price(layer));
      return { ...estimate, episodes: applicability.applicable_episodes };
    });
  const projected_usd = layers.reduce((sum, one) => sum + one.usd * one.episodes, 0);
  const alone = layers.reduce((sum, one) => sum + one.usd, 0);
  return { layers, projected_usd, per_episode_usd: episodes === 0 ? alone : projected_usd / episodes };
}

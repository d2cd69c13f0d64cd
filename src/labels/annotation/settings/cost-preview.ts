import type { ModelSurfaceId } from '#core/api';
import type { EpisodeSize, LayerRow, PlannedTokens } from '../layer.ts';
import { layerOf } from '../layer-registry.ts';
import { executes } from '../status/availability.ts';
import type { ResolvedLayer } from './resolve-layers.ts';

/** What a project's episodes are like, and what computing costs. */
export interface CostInputs {
  readonly episodes: number;
  /** A mean episode among those that can carry the layer. */
  readonly size: (layer: LayerRow) => EpisodeSize;
  /** US dollars a second of computing for a layer. */
  readonly usd_per_compute_s: (layer: LayerRow) => number;
  /** US dollars for tokens that a layer takes of a vision endpoint; 0 where it asks none. */
  readonly usd_of_tokens: (layer: LayerRow, tokens: PlannedTokens) => number;
  /** Surfaces whose model can be run here. */
  readonly runnable: ReadonlySet<ModelSurfaceId>;
}

/** What a layer is expected to take and cost an episode that can carry it, and how many there are. */
interface LayerCost {
  readonly layer: ResolvedLayer['id'];
  readonly episodes: number;
  readonly compute_s: number;
  readonly usd: number;
}

export interface CostPreview {
  readonly layers: readonly LayerCost[];
  /** Mean over all the project's episodes, of a usual one where there is none yet. */
  readonly per_episode_usd: number;
  readonly projected_usd: number;
}

/** What the layers that run by themselves add to a run over all the project's episodes. */
export function previewCost(
  resolved: readonly ResolvedLayer[],
  { episodes, size, usd_per_compute_s, usd_of_tokens, runnable }: CostInputs,
): CostPreview {
  const layers = resolved
    .filter((one) => executes(one, runnable))
    .map(({ id, config, applicability }) => {
      const layer = layerOf(id);
      const compute_s = layer.planned_compute_s(size(layer), config);
      const tokens = layer.planned_tokens?.(size(layer), config);
      const usd =
        compute_s * usd_per_compute_s(layer) + (tokens === undefined ? 0 : usd_of_tokens(layer, tokens));
      return { layer: id, episodes: applicability.applicable_episodes, compute_s, usd };
    });
  const projected_usd = layers.reduce((sum, one) => sum + one.usd * one.episodes, 0);
  const alone_usd = layers.reduce((sum, one) => sum + one.usd, 0);
  return { layers, projected_usd, per_episode_usd: episodes === 0 ? alone_usd : projected_usd / episodes };
}

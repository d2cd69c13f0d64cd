import type { ComputeEstimate } from '#core/api';
import { layerIdentity } from '#engine';
import { estimateView, estimateWork, layerWork } from '#engine/budget';
import {
  type EpisodeSize,
  type LayerConfig,
  type LayerRow,
  plannedSeconds,
  sizeClass,
} from '#labels/annotation';
import type { MeasuredRate } from '#store';
import type { RunnableModels } from './vision-endpoint.ts';

/** A layer and the number and mean size of the episodes that it runs on. */
interface LayerOnEpisodes {
  readonly row: LayerRow;
  readonly size: EpisodeSize;
  readonly config: LayerConfig;
  readonly episodes: number;
}

/** Estimates the compute time of a layer within a run, with the models that would run here. */
export function estimateLayer(
  { row, size, config, episodes }: LayerOnEpisodes,
  models: RunnableModels,
  rates: readonly MeasuredRate[],
): ComputeEstimate {
  const { model, config_hash } = layerIdentity(row, models, config);
  const planned = {
    planned_s: episodes * plannedSeconds(row, size, config),
    size_class: sizeClass(size.picture_mpx),
    in_run: true,
    ...layerWork(row.id, config_hash, model),
  };
  return estimateView(estimateWork(planned, rates));
}

import { AssayError } from '#core';
import type { LaneContext, LaneEpisode, LaneOutput } from './lane.ts';
import type { JobLayerRow } from './layer.ts';
import { defaultConfig } from './settings/layer-config.ts';

/**
 * Runs a layer's lane on an episode; knobs that `context` does not set are at their default. Throws `layer_inapplicable`,
 * `layer_unavailable`, and what the lane throws.
 */
export async function runLayer(
  row: JobLayerRow,
  episode: LaneEpisode,
  context: LaneContext,
): Promise<LaneOutput> {
  const unfit = row.unfit[episode.facts.kind.kind];
  if (unfit !== undefined) throw new AssayError('layer_inapplicable', unfit);
  if (row.lane === null) throw new AssayError('layer_unavailable', `no lane runs ${row.id}`);
  return row.lane.run(episode, { ...context, config: { ...defaultConfig(row), ...context.config } });
}

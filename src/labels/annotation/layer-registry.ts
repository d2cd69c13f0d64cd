import { AssayError, defineRegistry } from '#core';
import type { JobLayerId, LayerId } from '#core/api';
import { defaultConfig } from './knob.ts';
import type { LaneContext, LaneEpisode, LaneOutput } from './lane.ts';
import type { JobLayerRow, LayerRow } from './layer.ts';
import { annotationReview } from './layers/annotation-review/layer.ts';
import { bodyPose } from './layers/body-pose.ts';
import { captions } from './layers/captions.ts';
import { denseText } from './layers/dense-text/layer.ts';
import { depth } from './layers/depth.ts';
import { handPose } from './layers/hand-pose.ts';
import { metadata } from './layers/metadata/layer.ts';
import { objectLabels } from './layers/object-labels.ts';
import { opticalFlow } from './layers/optical-flow.ts';
import { representation3d } from './layers/representation-3d.ts';
import { segmentation } from './layers/segmentation.ts';
import { segments } from './layers/segments/layer.ts';
import { tracks } from './layers/tracks/layer.ts';

/** All annotation layers, in display order. */
export const layers = defineRegistry<LayerRow>([
  metadata,
  captions,
  segments,
  objectLabels,
  denseText,
  handPose,
  bodyPose,
  tracks,
  segmentation,
  depth,
  opticalFlow,
  representation3d,
]);

/** Returns the layer with an id. */
export function layerOf(id: LayerId): LayerRow {
  return layers.get(id)!;
}

/** Returns the layer, or the annotation review, that a job runs. */
export const jobLayerOf = (id: JobLayerId): JobLayerRow =>
  id === annotationReview.id ? annotationReview : layerOf(id as LayerId);

/**
 * Runs a layer's lane on an episode, with defaults for missing settings, and returns its output; throws
 * `layer_inapplicable` if the kind cannot carry the layer, `layer_unavailable` if it has no lane. Errors of the lane
 * are passed on.
 */
export async function runLayer(
  row: JobLayerRow,
  episode: LaneEpisode,
  context: LaneContext,
): Promise<LaneOutput> {
  const unfit = row.unfit[episode.facts.kind.kind];
  if (unfit !== undefined) throw new AssayError('layer_inapplicable', unfit);
  if (row.lane === null) throw new AssayError('layer_unavailable', `the layer ${row.id} is not implemented`);
  return row.lane.run(episode, { ...context, config: { ...defaultConfig(row), ...context.config } });
}

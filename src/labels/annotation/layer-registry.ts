import { defineRegistry } from '#core';
import type { JobLayerId, LayerId } from '#core/api';
import type { JobLayerRow, LayerRow } from './layer.ts';
import { annotationReview } from './layers/annotation-review/layer.ts';
import { bodyPose } from './layers/body-pose/layer.ts';
import { captions } from './layers/captions/layer.ts';
import { denseText } from './layers/dense-text/layer.ts';
import { depth } from './layers/depth/layer.ts';
import { handPose } from './layers/hand-pose/layer.ts';
import { metadata } from './layers/metadata/layer.ts';
import { objectLabels } from './layers/object-labels/layer.ts';
import { opticalFlow } from './layers/optical-flow/layer.ts';
import { representation3d } from './layers/representation-3d/layer.ts';
import { segmentation } from './layers/segmentation/layer.ts';
import { segments } from './layers/segments/layer.ts';
import { tracks } from './layers/tracks/layer.ts';

/** Every annotation layer, in the order in which they are shown. */
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

/** The layer of an id that the contract knows. */
export function layerOf(id: LayerId): LayerRow {
  return layers.get(id)!;
}

/** The same of all that a job can be of. */
export const jobLayerOf = (id: JobLayerId): JobLayerRow =>
  id === annotationReview.id ? annotationReview : layerOf(id as LayerId);

import type { LayerId } from '#contract';
import { defineRegistry } from '#kernel';
import type { LayerRow } from './layer.ts';
import { bodyPose } from './layers/body-pose.ts';
import { captions } from './layers/captions.ts';
import { denseText } from './layers/dense-text.ts';
import { depth } from './layers/depth.ts';
import { handPose } from './layers/hand-pose.ts';
import { metadata } from './layers/metadata.ts';
import { objectLabels } from './layers/object-labels.ts';
import { opticalFlow } from './layers/optical-flow.ts';
import { representation3d } from './layers/representation-3d.ts';
import { segmentation } from './layers/segmentation.ts';
import { segments } from './layers/segments.ts';
import { tracks } from './layers/tracks.ts';

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

import type { LayerId } from '#core/api';
import { bodyPose } from './layers/body-pose.ts';
import { captions } from './layers/captions.ts';
import { denseText } from './layers/dense-text.ts';
import { depth } from './layers/depth.ts';
import { handPose } from './layers/hand-pose.ts';
import { metadata } from './layers/metadata.ts';
import { objectLabels } from './layers/object-labels.ts';
import { opticalFlow } from './layers/optical-flow.ts';
import { segmentation } from './layers/segmentation.ts';
import { segments } from './layers/segments.ts';
import { tracks } from './layers/tracks.ts';
import type { Overlay } from './overlay.ts';

/** In the order in which layers are drawn over one picture: what covers it first, words last. */
const overlays: readonly Overlay[] = [
  depth,
  opticalFlow,
  segmentation,
  objectLabels,
  tracks,
  bodyPose,
  handPose,
  segments,
  captions,
  denseText,
  metadata,
];

/** How a layer is drawn; null: it is not. */
export const overlayOf = (layer: LayerId): Overlay | null =>
  overlays.find((one) => one.layer === layer) ?? null;

/** Layers in the order in which they are drawn over one picture. */
export const drawingOrder = (layers: readonly LayerId[]): readonly LayerId[] =>
  overlays.map(({ layer }) => layer).filter((layer) => layers.includes(layer));

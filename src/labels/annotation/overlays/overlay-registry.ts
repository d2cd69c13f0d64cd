import type { LayerId } from '#core/api';
import { bodyPose, handPose, objectLabels, segmentation, tracks } from './object-overlays.ts';
import type { Overlay } from './overlay.ts';
import { depth, opticalFlow } from './pixel-overlays.ts';
import { captions, denseText, metadata, segments } from './text-overlays.ts';

/** Overlays in drawing order: full-picture rasters first, text last. */
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

/** Returns the overlay of a layer; `null` if the layer has none. */
export const overlayOf = (layer: LayerId): Overlay | null =>
  overlays.find((one) => one.layer === layer) ?? null;

/** Returns the layers that have an overlay in drawing order, and omits the others. */
export const drawingOrder = (layers: readonly LayerId[]): readonly LayerId[] =>
  overlays.map(({ layer }) => layer).filter((layer) => layers.includes(layer));

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

/** Returns the overlay of a layer; `null` if the layer is not drawn. */
export const overlayOf = (layer: LayerId): Overlay | null =>
  overlays.find((one) => one.layer === layer) ?? null;

/** Sorts layers by drawing order; layers that are not drawn are left out. */
export const drawingOrder = (layers: readonly LayerId[]): readonly LayerId[] =>
  overlays.map(({ layer }) => layer).filter((layer) => layers.includes(layer));

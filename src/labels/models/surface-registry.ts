import { defineRegistry } from '#core';
import type { ModelSurfaceId } from '#core/api';
import type { SurfaceRow } from './surface.ts';
import { bodyPoseSurface } from './surfaces/body-pose.ts';
import { captioning } from './surfaces/captioning.ts';
import { depthSurface } from './surfaces/depth.ts';
import { detection } from './surfaces/detection.ts';
import { handPoseSurface } from './surfaces/hand-pose.ts';
import { imageEmbedding } from './surfaces/image-embedding.ts';
import { masks } from './surfaces/masks.ts';
import { openVocabulary } from './surfaces/open-vocabulary.ts';
import { opticalFlowSurface } from './surfaces/optical-flow.ts';
import { reviewing } from './surfaces/reviewing.ts';
import { segmentationSurface } from './surfaces/segmentation.ts';
import { textEmbedding } from './surfaces/text-embedding.ts';
import { tracking } from './surfaces/tracking.ts';

/** Everything that models are used for. */
export const surfaces = defineRegistry<SurfaceRow>([
  detection,
  openVocabulary,
  depthSurface,
  opticalFlowSurface,
  handPoseSurface,
  bodyPoseSurface,
  segmentationSurface,
  masks,
  tracking,
  captioning,
  reviewing,
  imageEmbedding,
  textEmbedding,
]);

/** The surface of an id that the contract knows. */
export function surfaceOf(id: ModelSurfaceId): SurfaceRow {
  return surfaces.get(id)!;
}

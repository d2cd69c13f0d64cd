import { defineRegistry } from '#core';
import type { ModelSurfaceId } from '#core/api';
import type { ModelOption, RejectedModel, SurfaceRow } from './surface.ts';
import { depthSurface, opticalFlowSurface, tracking } from './surfaces/depth-and-motion.ts';
import { detection, masks } from './surfaces/detection.ts';
import { captioning, reviewing, textEmbedding } from './surfaces/language.ts';
import { bodyPoseSurface, handPoseSurface } from './surfaces/poses.ts';

/**
 * Returns why a model cannot be chosen for a surface, with the allowed options and its licence issue if it was
 * rejected; `null` if it is an option.
 */
export function modelRefusalReason(surface: SurfaceRow, model: string): string | null {
  if (surface.options.some(({ id }) => id === model)) return null;
  const rejected = surface.rejected.find(({ id }) => id === model);
  const licenceNote =
    rejected === undefined
      ? ''
      : ` (excluded because of its licence, ${rejected.licence}: ${rejected.reason})`;
  return `${model} is not available for ${surface.id}${licenceNote}; choose one of ${surface.options.map(({ id }) => id).join(', ')}`;
}

/** All model surfaces (uses of models). */
export const surfaces = defineRegistry<SurfaceRow>([
  detection,
  depthSurface,
  opticalFlowSurface,
  handPoseSurface,
  bodyPoseSurface,
  masks,
  tracking,
  captioning,
  reviewing,
  textEmbedding,
]);

/** Returns the surface with an id. */
export function surfaceOf(id: ModelSurfaceId): SurfaceRow {
  return surfaces.get(id)!;
}

/** All model options, without duplicates. */
export const modelOptions: readonly ModelOption[] = [
  ...new Map(
    surfaces.rows.flatMap(({ options }) => options.map((option) => [option.id, option] as const)),
  ).values(),
];

/** Returns the option with an id, of any surface; `null` if there is none. */
export const findOption = (id: string): ModelOption | null =>
  modelOptions.find((option) => option.id === id) ?? null;

/** Returns the rejected model with an id; `null` if there is none. */
export const findRejected = (id: string): RejectedModel | null =>
  surfaces.rows.flatMap(({ rejected }) => rejected).find((rival) => rival.id === id) ?? null;

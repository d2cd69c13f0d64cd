import type { SurfaceRow } from './surface.ts';

/** Why a model may not be used for a surface, naming those that may and the licence it was turned down for; null where it may. */
export function objectToModel(surface: SurfaceRow, model: string): string | null {
  if (surface.options.some(({ id }) => id === model)) return null;
  const rejected = surface.rejected.find(({ id }) => id === model);
  const why = rejected === undefined ? '' : ` (its licence, ${rejected.licence}: ${rejected.reason})`;
  return `${surface.id} takes ${surface.options.map(({ id }) => id).join(', ')}, not ${model}${why}`;
}

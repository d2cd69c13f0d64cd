import type { ModelSurfaceId } from '#core/api';
import type { LayerRow } from '../layer.ts';
import { layerOf } from '../layer-registry.ts';
import type { ResolvedLayer } from '../settings/resolve-layers.ts';

/** Why a layer cannot be run here, in words; null where it can. `runnable`: surfaces whose model can be run here. */
export function whyUnavailable(
  { lane, not_served }: Pick<LayerRow, 'lane' | 'not_served'>,
  runnable: ReadonlySet<ModelSurfaceId>,
): string | null {
  if (not_served !== null) return `it is catalogued and not served: ${not_served}`;
  if (lane === null)
    return 'this version has no lane that does it; choose another layer, or a version that has one';
  const missing = lane.requires.filter((surface) => !runnable.has(surface));
  if (missing.length === 0) return null;
  return `no model for ${missing.join(', ')} can be run here; assay models list says which can, assay models pull fetches one`;
}

/** Surfaces that layers can be made by: those whose model can be run, and depth where episodes hold what was recorded. */
export const surfacesHere = (
  models: Iterable<ModelSurfaceId>,
  recorded_depth: boolean,
): ReadonlySet<ModelSurfaceId> => new Set([...models, ...(recorded_depth ? (['depth'] as const) : [])]);

/** Whether the next run executes a layer: only then does it cost by itself. */
export const executes = ({ id, runs }: ResolvedLayer, runnable: ReadonlySet<ModelSurfaceId>): boolean =>
  runs && whyUnavailable(layerOf(id), runnable) === null;

import { lanes } from '../lanes/lane-registry.ts';
import type { LayerRow } from '../layer.ts';
import { layerOf } from '../layer-registry.ts';
import type { ResolvedLayer } from '../settings/resolve-layers.ts';

/** Why a layer cannot be run here, in words; null where it can. */
export function whyUnavailable({ id, not_served }: LayerRow): string | null {
  if (not_served !== null) return `it is catalogued and not served: ${not_served}`;
  return lanes.get(id) === undefined
    ? 'this version has no lane that does it; choose another layer, or a version that has one'
    : null;
}

/** Whether the next run executes a layer: only then does it cost by itself. */
export const executes = ({ id, runs }: ResolvedLayer): boolean =>
  runs && whyUnavailable(layerOf(id)) === null;

import { type LayerMode, layerModes, type UseCase } from '#core/api';
import type { LayerRow } from '../layer.ts';

/** What decides the mode of a layer that nobody has set. */
export interface DefaultInputs {
  /** What the use case asks for. */
  readonly capabilities: UseCase['capabilities'];
  /** Layers that the target profile is trained on. */
  readonly target_layers: readonly string[];
}

/** The mode of a layer that neither the project nor the workspace has set, and why. */
export function defaultMode(
  layer: LayerRow,
  { capabilities, target_layers }: DefaultInputs,
): { readonly mode: LayerMode; readonly reason: string } {
  if (layer.id === 'hand_pose' || layer.id === 'dense_text') {
    const { requested, reason } = capabilities[layer.id];
    return { mode: nearestOffered(layer, requested ? 'in_run' : 'on_demand'), reason };
  }
  if (layer.id === 'object_labels') {
    const needed = target_layers.includes(layer.id);
    const reason = needed ? 'the target is trained on them' : 'the target does not need them';
    return { mode: nearestOffered(layer, needed ? 'in_run' : 'on_demand'), reason };
  }
  return { mode: nearestOffered(layer, layer.fallback), reason: 'what the layer does by itself' };
}

/** The mode itself where the layer offers it, else the next that does less. */
export function nearestOffered(layer: LayerRow, mode: LayerMode): LayerMode {
  const lesser = layerModes.slice(layerModes.indexOf(mode));
  return lesser.find((one) => layer.modes.includes(one)) ?? 'off';
}

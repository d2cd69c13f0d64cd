import { type LayerId, type LayerMode, layerModes, type UseCase } from '#core/api';
import type { Kind } from '#core/episode';
import type { LayerConfig } from '../knob.ts';
import type { LayerRow } from '../layer.ts';
import { layers } from '../layer-registry.ts';
import { type Applicability, applicabilityOf, type KindCounts } from './applicability.ts';
import { defaultConfig } from './layer-config.ts';
import type { StoredSettings } from './stored-settings.ts';

/** Everything that decides what annotation does in a project. */
export interface LayerInputs extends DefaultInputs {
  readonly project: StoredSettings;
  readonly workspace: StoredSettings;
  readonly kinds: KindCounts;
  /** The kind that the project's owner set for all its episodes. */
  readonly pinned_kind: Kind | null;
}

/** A layer as it is in effect. */
export interface ResolvedLayer {
  readonly id: LayerId;
  readonly mode: LayerMode;
  /** Whose word it is; `pinned`: the layer is not served, whatever is stored. */
  readonly from: 'project' | 'workspace' | 'default' | 'pinned';
  readonly reason: string;
  /** The stored mode, where the layer does not offer it and the nearest took its place. */
  readonly asked: LayerMode | null;
  readonly applicability: Applicability;
  /** Whether settings and data would have the next run execute it; `executes` adds whether anything here can. */
  readonly runs: boolean;
  readonly config: LayerConfig;
}

/** The mode, the knobs and the reach of every layer: the project's word, then the workspace's, then what is computed. */
export function resolveLayers(inputs: LayerInputs): readonly ResolvedLayer[] {
  return layers.rows.map((layer) => resolveLayer(layer, inputs));
}

function resolveLayer(layer: LayerRow, inputs: LayerInputs): ResolvedLayer {
  const { project, workspace } = inputs;
  const found = modeOf(layer, inputs);
  const applicability = applicabilityOf(layer, inputs.kinds, inputs.pinned_kind);
  return {
    id: layer.id,
    ...found,
    applicability,
    runs: found.mode === 'in_run' && applicability.applicable,
    config: { ...defaultConfig(layer), ...workspace.config[layer.id], ...project.config[layer.id] },
  };
}

function modeOf(
  layer: LayerRow,
  inputs: LayerInputs,
): Pick<ResolvedLayer, 'mode' | 'from' | 'reason' | 'asked'> {
  if (layer.not_served !== null)
    return { mode: 'off', from: 'pinned', reason: layer.not_served, asked: null };
  for (const from of ['project', 'workspace'] as const) {
    const stored = inputs[from].modes[layer.id];
    if (stored === undefined) continue;
    const mode = nearestOffered(layer, stored);
    const met = mode === stored;
    const reason = met ? `the ${from} says so` : `the ${from} asks for ${stored}, which it does not offer`;
    return { mode, from, reason, asked: met ? null : stored };
  }
  return { ...defaultMode(layer, inputs), from: 'default', asked: null };
}

/** What decides the mode of a layer that nobody has set. */
interface DefaultInputs {
  /** What the use case asks for. */
  readonly capabilities: UseCase['capabilities'];
  /** Layers that the target profile is trained on. */
  readonly target_layers: readonly string[];
}

/** The mode of a layer that neither the project nor the workspace has set, and why. */
function defaultMode(
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
function nearestOffered(layer: LayerRow, mode: LayerMode): LayerMode {
  const lesser = layerModes.slice(layerModes.indexOf(mode));
  return lesser.find((one) => layer.modes.includes(one)) ?? 'off';
}

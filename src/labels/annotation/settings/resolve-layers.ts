import { type LayerId, type LayerMode, layerModes, type UseCase } from '#core/api';
import type { Kind } from '#core/episode';
import { defaultConfig, type LayerConfig } from '../knob.ts';
import type { LayerRow } from '../layer.ts';
import { layerOf, layers } from '../layer-registry.ts';
import { type PresetRow, presets } from './presets.ts';
import type { StoredSettings } from './stored-settings.ts';

/** Inputs that determine the annotation of a project. */
export interface LayerInputs extends DefaultInputs {
  readonly project: StoredSettings;
  readonly workspace: StoredSettings;
  readonly kinds: KindCounts;
  /** Kind that the project's owner set for all episodes; `null` if not set. */
  readonly pinned_kind: Kind | null;
}

/** Effective settings of a layer. */
export interface ResolvedLayer {
  readonly id: LayerId;
  readonly mode: LayerMode;
  /** Origin of the mode; `pinned`: the layer is not served, whatever is stored. */
  readonly from: 'project' | 'workspace' | 'default' | 'pinned';
  readonly reason: string;
  /** Stored mode, if the layer does not offer it and the nearest lower one is used; else `null`. */
  readonly asked: LayerMode | null;
  readonly applicability: Applicability;
  /** Whether settings and data include it in the next run; `willExecute` also checks that it can run here. */
  readonly runs: boolean;
  readonly config: LayerConfig;
}

/**
 * Returns mode, settings and applicability of every layer, each with the reason: from the project's settings, else
 * the workspace's, else defaults.
 */
export function resolveLayers(inputs: LayerInputs): readonly ResolvedLayer[] {
  return layers.rows.map((layer) => resolveLayer(layer, inputs));
}

function resolveLayer(layer: LayerRow, inputs: LayerInputs): ResolvedLayer {
  const { project, workspace } = inputs;
  const found = resolveMode(layer, inputs);
  const applicability = computeApplicability(layer, inputs.kinds, inputs.pinned_kind);
  return {
    id: layer.id,
    ...found,
    applicability,
    runs: found.mode === 'in_run' && applicability.applicable,
    config: { ...defaultConfig(layer), ...workspace.config[layer.id], ...project.config[layer.id] },
  };
}

function resolveMode(
  layer: LayerRow,
  inputs: LayerInputs,
): Pick<ResolvedLayer, 'mode' | 'from' | 'reason' | 'asked'> {
  if (layer.not_served !== null)
    return { mode: 'off', from: 'pinned', reason: layer.not_served, asked: null };
  for (const from of ['project', 'workspace'] as const) {
    const stored = inputs[from].modes[layer.id];
    if (stored === undefined) continue;
    const mode = nearestOfferedMode(layer, stored);
    const isOffered = mode === stored;
    const reason = isOffered
      ? `${from} setting`
      : `${from} setting ${stored} is not available for this layer`;
    return { mode, from, reason, asked: isOffered ? null : stored };
  }
  return { ...defaultMode(layer, inputs), from: 'default', asked: null };
}

/** Inputs for default modes. */
interface DefaultInputs {
  /** Capabilities that the use case requests. */
  readonly capabilities: UseCase['capabilities'];
  /** Layers that the target profile is trained on. */
  readonly target_layers: readonly string[];
}

/** Returns the mode of a layer without stored settings, and the reason. */
function defaultMode(
  layer: LayerRow,
  { capabilities, target_layers }: DefaultInputs,
): { readonly mode: LayerMode; readonly reason: string } {
  if (layer.id === 'hand_pose' || layer.id === 'dense_text') {
    const { requested, reason } = capabilities[layer.id];
    return { mode: nearestOfferedMode(layer, requested ? 'in_run' : 'on_demand'), reason };
  }
  if (layer.id === 'object_labels') {
    const isNeeded = target_layers.includes(layer.id);
    const reason = isNeeded ? 'used by the training target' : 'not needed by the training target';
    return { mode: nearestOfferedMode(layer, isNeeded ? 'in_run' : 'on_demand'), reason };
  }
  return { mode: nearestOfferedMode(layer, layer.fallback), reason: 'default mode of the layer' };
}

/** Returns the mode if the layer offers it, else the next lower one that it offers, else `off`. */
function nearestOfferedMode(layer: LayerRow, mode: LayerMode): LayerMode {
  const lowerModes = layerModes.slice(layerModes.indexOf(mode));
  return lowerModes.find((one) => layer.modes.includes(one)) ?? 'off';
}

/** Number of episodes by kind. With a pinned kind, all episodes count as that kind. */
export type KindCounts = Readonly<Partial<Record<Kind, number>>>;

/** Whether a layer applies to any episode of a project. */
interface Applicability {
  readonly applicable: boolean;
  /** Reason if not applicable; `null` if applicable or without episodes. */
  readonly reason: string | null;
  readonly applicable_episodes: number;
}

/**
 * Computes whether a layer applies to the kinds present. A pinned kind decides even before the first episode; without
 * episodes and pinned kind, every layer applies.
 */
function computeApplicability(layer: LayerRow, counts: KindCounts, pinned: Kind | null): Applicability {
  const present = pinned === null ? presentKinds(counts) : [pinned];
  const capable = present.filter((kind) => layer.unfit[kind] === undefined);
  const applicable = capable.length > 0 || present.length === 0;
  return {
    applicable,
    reason: applicable ? null : present.map((kind) => `${kind}: ${layer.unfit[kind]}`).join('; '),
    applicable_episodes: pinned !== null && applicable ? total(counts) : sum(counts, capable),
  };
}

const presentKinds = (counts: KindCounts): readonly Kind[] =>
  (Object.keys(counts) as Kind[]).filter((kind) => (counts[kind] ?? 0) > 0);
const sum = (counts: KindCounts, kinds: readonly Kind[]): number =>
  kinds.reduce((all, kind) => all + (counts[kind] ?? 0), 0);
const total = (counts: KindCounts): number => sum(counts, presentKinds(counts));

/** How well a preset suits a project. Any preset can be applied; this is a hint for users. */
export interface PresetFit {
  readonly preset: PresetRow;
  /** Whether it was written for the workspace's use case. */
  readonly offered: boolean;
  /** Whether none of its in-run layers applies to the project's data. */
  readonly disabled: boolean;
  readonly reason: string | null;
}

/**
 * Returns for every preset whether the use case offers it, whether it is disabled because none of its layers applies,
 * and why. `written_for`: ids of the presets that the use case lists.
 */
export function ratePresets(
  written_for: readonly string[],
  { kinds, pinned_kind }: Pick<LayerInputs, 'kinds' | 'pinned_kind'>,
): readonly PresetFit[] {
  return presets.rows.map((preset) => {
    const inRun = (Object.keys(preset.modes) as LayerId[]).filter((id) => preset.modes[id] === 'in_run');
    const served = inRun.map(layerOf).filter((layer) => layer.not_served === null);
    const isDisabled = served.every((layer) => !computeApplicability(layer, kinds, pinned_kind).applicable);
    const offered = written_for.includes(preset.id);
    const titles = served.map((layer) => layer.title.toLowerCase()).join(', ');
    return {
      preset,
      offered,
      disabled: isDisabled,
      reason: isDisabled
        ? `none of its layers (${titles}) apply to this project’s data`
        : notOfferedReason(offered),
    };
  });
}

const notOfferedReason = (offered: boolean): string | null =>
  offered ? null : 'intended for other use cases';

import type { LayerId } from '#core/api';
import { layerOf } from '../layer-registry.ts';
import { type PresetRow, presets } from '../presets.ts';
import { applicabilityOf } from './applicability.ts';
import type { LayerInputs } from './resolve-layers.ts';

/** Whether a preset is of use to a project. Any can be applied; this is for those who choose. */
export interface PresetFit {
  readonly preset: PresetRow;
  /** Whether it was written for the workspace's use case. */
  readonly offered: boolean;
  /** Whether none of the layers it runs can apply to what is there. */
  readonly disabled: boolean;
  readonly reason: string | null;
}

export function presetFits(
  written_for: readonly string[],
  { kinds, pinned_kind }: Pick<LayerInputs, 'kinds' | 'pinned_kind'>,
): readonly PresetFit[] {
  return presets.rows.map((preset) => {
    const running = (Object.keys(preset.modes) as LayerId[]).filter((id) => preset.modes[id] === 'in_run');
    const served = running.map(layerOf).filter((layer) => layer.not_served === null);
    const none = served.every((layer) => !applicabilityOf(layer, kinds, pinned_kind).applicable);
    const offered = written_for.includes(preset.id);
    const titles = served.map((layer) => layer.title.toLowerCase()).join(', ');
    return {
      preset,
      offered,
      disabled: none,
      reason: none ? `what it runs (${titles}) applies to nothing in this project` : unwritten(offered),
    };
  });
}

const unwritten = (offered: boolean): string | null =>
  offered ? null : 'it was written for other use cases';

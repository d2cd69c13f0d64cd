import { defineRegistry } from '#core';
import type { SourceTree } from '#io/sources';
import { egodexPreset } from './egodex.ts';
import { gelloPreset } from './gello.ts';
import type { Preset, PresetMatch } from './preset.ts';
import { robomindPreset } from './robomind.ts';
import { unitreePreset } from './unitree.ts';

/** All built-in mappings; the first that recognises a folder is used. */
export const presets = defineRegistry([unitreePreset, gelloPreset, robomindPreset, egodexPreset]);

/** Returns the first built-in mapping whose layout the folder has; `null` if there is none. */
export async function matchPreset(
  tree: SourceTree,
): Promise<(PresetMatch & Pick<Preset, 'id' | 'title'>) | null> {
  for (const { id, title, recognise } of presets.rows) {
    const match = await recognise(tree);
    if (match !== null) return { ...match, id, title };
  }
  return null;
}

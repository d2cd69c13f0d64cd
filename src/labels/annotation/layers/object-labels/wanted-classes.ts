import { AssayError } from '#core';
import type { LayerConfig } from '../../knob.ts';

/** Classes that are looked for. */
export interface WantedClasses {
  /** Null: all that the model knows. */
  readonly names: ReadonlySet<string> | null;
  /** Asked for, and unknown to the model. */
  readonly unknown: readonly string[];
}

/** By the knobs `ontology_source` and `classes`. Throws where they name nothing that can be looked for. */
export function wantedClasses(
  { ontology_source, classes }: LayerConfig,
  { model, classes: known }: { readonly model: string; readonly classes: readonly string[] },
): WantedClasses {
  if (ontology_source === 'open') return { names: null, unknown: [] };
  if (ontology_source === 'workspace')
    throw new AssayError('layer_unavailable', 'this version does not hand a workspace’s classes to lanes', {
      advice: 'set ontology_source to manual and name them in classes',
    });
  const asked = (Array.isArray(classes) ? classes : []).map((name) => String(name).trim().toLowerCase());
  const names = new Set(asked.filter((name) => known.includes(name)));
  if (names.size === 0)
    throw new AssayError('invalid_settings', `classes names nothing that ${model} can find`, {
      advice: `it finds ${known.join(', ')}`,
    });
  return { names, unknown: [...new Set(asked.filter((name) => !names.has(name)))] };
}

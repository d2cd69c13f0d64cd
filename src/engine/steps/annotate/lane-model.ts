import { AssayError, canonicalJson, type JsonValue, sha256 } from '#core';
import type { ModelSurfaceId } from '#core/api';
import { type JobLayerRow, type Lane, type LayerConfig, whyUnavailable } from '#labels/annotation';
import { modelName, type RunnableModel } from '#labels/models';

/** Between the ids of several models of one layer. */
export const modelSeparator = ', ';

/**
 * The models that a layer would run, each once; null where it runs none. `recorded`: surfaces that need no model where an
 * episode holds what it would give. Throws `layer_unavailable`.
 */
export function laneModel(
  row: JobLayerRow,
  runnable: ReadonlyMap<ModelSurfaceId, RunnableModel>,
  { advice, recorded = [] }: { readonly advice: string; readonly recorded?: readonly ModelSurfaceId[] },
): string | null {
  const reason = whyUnavailable(row, new Set([...runnable.keys(), ...recorded]));
  if (reason !== null)
    throw new AssayError('layer_unavailable', `${row.id} cannot be run: ${reason}`, {
      advice,
      details: { layer: row.id },
    });
  const names = row.needs.surfaces.flatMap((surface) => {
    const model = runnable.get(surface);
    return model === undefined ? [] : [modelName(model)];
  });
  return names.length === 0 ? null : [...new Set(names)].join(modelSeparator);
}

/** SHA-256 of everything but the episode that decides what comes out. */
export function configHash(
  { id }: Pick<JobLayerRow, 'id'>,
  { version }: Lane,
  model: string | null,
  config: LayerConfig,
): string {
  const decides = { layer: id, version, model, config };
  return sha256(canonicalJson(decides as unknown as JsonValue));
}

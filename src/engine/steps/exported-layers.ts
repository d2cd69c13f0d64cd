import type { JsonObject } from '#core';
import type { ExportFormatId, LayerId } from '#core/api';
import { exportFormats } from '#formats/write';

/** Layers that exports can include. */
export const exportedLayers = [
  'segments',
  'captions',
  'dense_text',
  'segmentation',
  'object_labels',
  'tracks',
  'body_pose',
  'hand_pose',
] as const satisfies readonly LayerId[];
/** Id of a layer that exports can include. */
export type ExportedLayer = (typeof exportedLayers)[number];

/** Returns the layers that an export in `format` includes if annotations are requested. */
export function exportableLayers(format: ExportFormatId): readonly ExportedLayer[] {
  const supported: readonly string[] = exportFormats.get(format)?.annotations ?? [];
  return exportedLayers.filter((layer) => supported.includes(layer));
}

/** Returns why a format cannot store some of these layers, and which; null if it can store all of them. */
export function unsupportedLayers(
  format: ExportFormatId,
  layers: readonly string[],
): { readonly layers: readonly string[]; readonly reason: string } | null {
  const supported: readonly string[] = exportableLayers(format);
  const unsupported = layers.filter((layer) => !supported.includes(layer));
  if (unsupported.length === 0) return null;
  return { layers: unsupported, reason: `${format} cannot store the layers ${unsupported.join(', ')}` };
}

/** Returns the lineage entry for layers that a format cannot store; empty if it can store all of them. */
export function dropEdits(format: ExportFormatId, layers: readonly string[]): JsonObject[] {
  const unsupported = unsupportedLayers(format, layers);
  return unsupported === null
    ? []
    : [{ edit: 'drop_annotations', layers: [...unsupported.layers], reason: unsupported.reason }];
}

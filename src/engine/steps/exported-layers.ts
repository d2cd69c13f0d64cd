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

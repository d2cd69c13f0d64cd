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

/**
 * Returns the layers that an export in `format` includes. `requested`: whether the user wants annotations; null applies
 * the format's default.
 */
export function exportableLayers(
  format: ExportFormatId,
  requested: boolean | null,
): readonly ExportedLayer[] {
  const { annotations = [], annotations_asked = false } = exportFormats.get(format) ?? {};
  if (!(requested ?? !annotations_asked)) return [];
  const supported: readonly string[] = annotations;
  return exportedLayers.filter((layer) => supported.includes(layer));
}

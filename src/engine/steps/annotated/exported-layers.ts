import type { ExportFormatId, LayerId } from '#core/api';
import { exportFormats } from '#formats/write';

/** Layers whose say travels into exports. */
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
export type ExportedLayer = (typeof exportedLayers)[number];

/** Those that go into a format; `asked`: whether a person wants that, null where nobody said. */
export function layersFor(format: ExportFormatId, asked: boolean | null): readonly ExportedLayer[] {
  const { annotations = [], annotations_asked = false } = exportFormats.get(format) ?? {};
  if (!(asked ?? !annotations_asked)) return [];
  const held: readonly string[] = annotations;
  return exportedLayers.filter((layer) => held.includes(layer));
}

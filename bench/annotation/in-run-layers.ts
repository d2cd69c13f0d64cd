import type { LayerId } from '#core/api';
import { presets } from '#labels/annotation';

/** Layers that the preset for manipulation makes within runs. */
export const inRunLayers: readonly LayerId[] = Object.entries(presets.get('manipulation-qc')!.modes).flatMap(
  ([layer, mode]) => (mode === 'in_run' ? [layer as LayerId] : []),
);

/** One camera of 640x480. */
export const camera = ['observation.images.top'];

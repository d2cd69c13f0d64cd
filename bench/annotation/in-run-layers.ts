import type { LayerId } from '#core/api';
import { presets } from '#labels/annotation';
import { detectorEnv } from '#test/support/bundled-detector';

/** Layers that the preset for manipulation makes within runs. */
export const inRunLayers: readonly LayerId[] = Object.entries(presets.get('manipulation-qc')!.modes).flatMap(
  ([layer, mode]) => (mode === 'in_run' ? [layer as LayerId] : []),
);

/** One camera of 640x480. */
export const camera = ['observation.images.top'];

// For the processes that benches start: the bundled detector runs only where it is chosen.
Object.assign(process.env, detectorEnv);

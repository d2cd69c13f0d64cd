/** The bundled detector. Its weights have no stated licence, so it runs only where it is chosen. */
export const bundledDetector = '610265158/mb3-centernet';

/** Environment of programs that chooses it. */
export const detectorEnv = { ASSAY_MODEL_DETECTION: bundledDetector } as const;

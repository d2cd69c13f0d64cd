import { z } from 'zod';

export { settingBounds } from './bounds/index.ts';

/**
 * Differences from the defaults. `checks`: by check id; what is out of bounds is clamped when resolved, never refused.
 */
export const readinessSettingsSchema = z.strictObject({
  checks: z
    .record(
      z.string(),
      z.strictObject({
        enabled: z.boolean().optional(),
        threshold_offset: z.number().optional(),
        weight_factor: z.number().optional(),
      }),
    )
    .optional(),
  /** Ids of the training loaders that datasets are judged by; absent or empty: chosen by format and files. */
  loaders: z.array(z.string()).optional(),
});

export type ReadinessSettings = z.infer<typeof readinessSettingsSchema>;

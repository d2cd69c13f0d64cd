import { z } from 'zod';

export { settingBounds } from './bounds/index.ts';

/** Differences from the defaults, by check id; what is out of bounds is clamped when resolved, never refused. */
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
});

export type ReadinessSettings = z.infer<typeof readinessSettingsSchema>;

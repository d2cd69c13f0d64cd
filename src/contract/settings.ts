import { z } from 'zod';

/** How far settings may move a check (decisions: offset within ±0.2, weight 0..3 times its default). */
export const settingBounds = { threshold_offset: [-0.2, 0.2], weight_factor: [0, 3] } as const;

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

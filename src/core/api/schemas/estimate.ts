import { z } from 'zod';
import { computeDevices } from '../prices.ts';

const seconds = z.number().nonnegative();

/** Estimated compute time: CPU time of workers and their helpers, or time on an accelerator; never waiting time. */
export const computeEstimateSchema = z
  .strictObject({
    compute_s: seconds,
    /** Range that eight of ten comparable jobs fell into; a guess while fewer than five were measured. */
    low_s: seconds,
    high_s: seconds,
    /** `measured`: median of comparable work of this tenant; `planned`: none was measured yet. */
    basis: z.enum(['measured', 'planned']),
    /** Number of comparable measurements; 0 if planned. */
    samples: z.int().nonnegative(),
    /** Device that comparable work last used. */
    device: z.enum(computeDevices),
  })
  .meta({ id: 'ComputeEstimate' });
export type ComputeEstimate = z.infer<typeof computeEstimateSchema>;

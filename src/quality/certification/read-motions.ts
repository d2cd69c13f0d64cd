import { z } from 'zod';
import type { Receipt } from '#core/api';
import { readCheck } from './read-check.ts';

const motion = z.looseObject({
  stream: z.string(),
  role: z.enum(['action', 'state']),
  samples: z.number(),
  frozen: z.number(),
  saturated: z.looseObject({ dimension: z.number(), size: z.number() }).nullable(),
});
const values = z.looseObject({ motions: z.array(motion) });
const usualMotionSchema = z.looseObject({ traits: z.array(z.string()) });

/**
 * Reads the motion measurements of kinematic_sanity for state and action streams, or returns the reason why there are
 * none.
 */
export function readMotions(receipt: Receipt):
  | {
      readonly motions: readonly z.infer<typeof motion>[];
      /** Traits that all episodes of the set share, each as "flag stream". */
      readonly usual: ReadonlySet<string>;
    }
  | { readonly reason: string } {
  const read = readCheck(receipt, 'kinematic_sanity', values);
  if (read.status === 'absent') return { reason: read.reason };
  const traits = usualMotionSchema.safeParse(read.notes.usual_motion);
  return { motions: read.values.motions, usual: new Set(traits.success ? traits.data.traits : []) };
}

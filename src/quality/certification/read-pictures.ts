import { z } from 'zod';
import type { Receipt } from '#core/api';
import { readCheck } from './read-check.ts';

const camera = z.looseObject({
  camera: z.string(),
  decodable: z.enum(['yes', 'partial', 'no']),
  reason: z.string().nullable(),
  frames: z.number(),
  flaws: z.array(z.looseObject({ flaw: z.string(), share: z.number() })),
  sharpness: z.number().nullable(),
  repeats: z.looseObject({ pairs: z.number(), equal: z.number() }).nullable(),
  frozen: z.looseObject({ seconds: z.number() }),
});
const values = z.looseObject({ duration_s: z.number(), cameras: z.array(camera).min(1) });

/** Measurements of image_integrity for one camera. */
export type CameraMeasurement = z.infer<typeof camera>;

const empty = z.looseObject({ cameras: z.array(z.string()) });

/** Reads the measurements of image_integrity for each camera, or returns the reason why there are none. */
export function readPictures(receipt: Receipt):
  | {
      readonly duration_s: number;
      readonly cameras: readonly CameraMeasurement[];
      /** Cameras without placeholders, which show nothing in any episode of the set. */
      readonly showing: readonly CameraMeasurement[];
      readonly notes: Readonly<Record<string, unknown>>;
      /** `high` if every frame was decoded, `medium` for a sample. */
      readonly confidence: 'high' | 'medium';
    }
  | { readonly reason: string } {
  const read = readCheck(receipt, 'image_integrity', values);
  if (read.status === 'absent') return { reason: read.reason };
  const isComplete = receipt.pictures === 'all' || read.values.cameras.every(({ frames }) => frames === 1);
  const placeholders = empty.safeParse(read.notes.placeholder_camera);
  const excludedCameras = placeholders.success ? placeholders.data.cameras : [];
  const showing = read.values.cameras.filter(({ camera }) => !excludedCameras.includes(camera));
  return { ...read.values, showing, notes: read.notes, confidence: isComplete ? 'high' : 'medium' };
}

/** Returns the cameras with at least one decoded frame. */
export const selectDecodedCameras = (cameras: readonly CameraMeasurement[]): readonly CameraMeasurement[] =>
  cameras.filter(({ frames }) => frames > 0);

/** Returns the sum of the shares of decoded frames with each of these flaws, at most 1. */
export function computeFlawShare({ flaws }: CameraMeasurement, flawIds: readonly string[]): number {
  let sum = 0;
  for (const { flaw, share } of flaws) if (flawIds.includes(flaw)) sum += share;
  return Math.min(1, sum);
}

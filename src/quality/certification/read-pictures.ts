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

export type SeenCamera = z.infer<typeof camera>;

const empty = z.looseObject({ cameras: z.array(z.string()) });

/** What image_integrity measured of the pictures of each camera. */
export function readPictures(receipt: Receipt):
  | {
      readonly duration_s: number;
      readonly cameras: readonly SeenCamera[];
      /** Without those that show nothing in any episode of the set: they stand for cameras that were not there. */
      readonly showing: readonly SeenCamera[];
      readonly notes: Readonly<Record<string, unknown>>;
      /** Whether every frame was looked at. */
      readonly confidence: 'high' | 'medium';
    }
  | { readonly reason: string } {
  const read = readCheck(receipt, 'image_integrity', values);
  if (read.status === 'absent') return { reason: read.reason };
  const whole = receipt.pictures === 'all' || read.values.cameras.every(({ frames }) => frames === 1);
  const placeholders = empty.safeParse(read.notes.placeholder_camera);
  const left = placeholders.success ? placeholders.data.cameras : [];
  const showing = read.values.cameras.filter(({ camera }) => !left.includes(camera));
  return { ...read.values, showing, notes: read.notes, confidence: whole ? 'high' : 'medium' };
}

/** Cameras of which at least one frame was decoded. */
export const decoded = (cameras: readonly SeenCamera[]): readonly SeenCamera[] =>
  cameras.filter(({ frames }) => frames > 0);

/** Share of the frames looked at that have one of these flaws. */
export function flawShare({ flaws }: SeenCamera, wanted: readonly string[]): number {
  let sum = 0;
  for (const { flaw, share } of flaws) if (wanted.includes(flaw)) sum += share;
  return Math.min(1, sum);
}

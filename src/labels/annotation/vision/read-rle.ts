import { z } from 'zod';

/** A COCO RLE: picture height and width, and column-wise runs in the text form of pycocotools. */
export const rleSchema = z.object({
  size: z.tuple([z.number().int().positive(), z.number().int().positive()]),
  counts: z.string(),
});
/** A parsed RLE. */
export type CocoRle = z.infer<typeof rleSchema>;

/** Calls `visit` for each pixel inside the mask, column by column; runs beyond the picture are cut off. */
export function forEachPixel(
  { size: [height_px, width_px], counts }: CocoRle,
  visit: (x: number, y: number) => void,
): void {
  const pixels = height_px * width_px;
  let place = 0;
  for (const [at, run] of decodeRuns(counts).entries()) {
    const end = Math.min(pixels, place + Math.max(0, run));
    if (at % 2 === 1) for (let i = place; i < end; i++) visit(Math.floor(i / height_px), i % height_px);
    place = end;
  }
}

/**
 * Decodes the run lengths of a COCO mask, which alternate between outside and inside (`rleFrString` in maskApi.c).
 * Five bits per character; from the fourth run on, the difference to the run two before. A text that ends early gives
 * a wrong last run, no error.
 */
export function decodeRuns(counts: string): readonly number[] {
  const runs: number[] = [];
  for (let at = 0; at < counts.length; ) {
    let run = 0;
    let bits = 0;
    for (let more = true; more && at < counts.length; bits += 5) {
      const character = counts.charCodeAt(at++) - 48;
      run |= (character & 31) << bits;
      more = (character & 32) !== 0;
      if (!more && (character & 16) !== 0) run |= -1 << (bits + 5);
    }
    runs.push(runs.length > 2 ? run + runs[runs.length - 2] : run);
  }
  return runs;
}

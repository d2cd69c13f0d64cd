import { z } from 'zod';

/** A mask as COCO has it: height and width, and the runs of its columns in the text form of pycocotools. */
export const rleSchema = z.object({
  size: z.tuple([z.number().int().positive(), z.number().int().positive()]),
  counts: z.string(),
});
export type ReadRle = z.infer<typeof rleSchema>;

/** Calls `take` for each pixel of a mask, column by column. */
export function forEachPixel(
  { size: [height_px, width_px], counts }: ReadRle,
  take: (x: number, y: number) => void,
): void {
  const pixels = height_px * width_px;
  let place = 0;
  for (const [at, run] of runsOf(counts).entries()) {
    const end = Math.min(pixels, place + Math.max(0, run));
    if (at % 2 === 1) for (let i = place; i < end; i++) take(Math.floor(i / height_px), i % height_px);
    place = end;
  }
}

/** `rleFrString` of pycocotools' maskApi.c: five bits a character, from the fourth run on the difference to that two before. */
export function runsOf(counts: string): readonly number[] {
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

import { z } from 'zod';
import { limits } from '#kernel';
import type { Raster } from './canvas.ts';
import type { Rgb } from './colours.ts';

/** A mask as COCO has it: height and width, and the runs of its columns in the text form of pycocotools. */
export const rleSchema = z.object({
  size: z.tuple([z.number().int().positive(), z.number().int().positive()]),
  counts: z.string(),
});
export type Rle = z.infer<typeof rleSchema>;

/** How much of the picture a mask lets through is what is left of this. */
const covers = 120;

/** Masks in their colours, the later over the earlier; null: they are of several sizes, or of none that is allowed. */
export function maskRaster(masks: readonly { readonly rle: Rle; readonly colour: Rgb }[]): Raster | null {
  const [first] = masks;
  if (first === undefined) return null;
  const [height_px, width_px] = first.rle.size;
  const isAlike = masks.every(({ rle: { size } }) => size[0] === height_px && size[1] === width_px);
  if (!isAlike || height_px * width_px > limits.recordings.picture_pixels.value) return null;
  const rgba = new Uint8Array(4 * height_px * width_px);
  for (const { rle, colour } of masks)
    forEachPixel(rle, (x, y) => {
      const at = 4 * (y * width_px + x);
      rgba.set(colour, at);
      rgba[at + 3] = covers;
    });
  return { width_px, height_px, rgba, sharp: true };
}

function forEachPixel(
  { size: [height_px, width_px], counts }: Rle,
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

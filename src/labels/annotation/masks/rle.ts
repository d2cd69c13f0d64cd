import type { JsonObject } from '#core';

/** Pixels of a picture that belong together, within a rectangle of it; rows from the top, 1 where it belongs. */
export interface Mask {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

/** As COCO has it: height and width of the picture, and the runs of its columns in the text form of pycocotools. */
export interface Rle extends JsonObject {
  readonly size: [height_px: number, width_px: number];
  readonly counts: string;
}

/** A mask in run lengths, as `pycocotools.mask.encode` writes it: `rleEncode` and `rleToString` of its maskApi.c. */
export function encodeRle(
  mask: Mask,
  { width_px, height_px }: { readonly width_px: number; readonly height_px: number },
): Rle {
  return { counts: textOf(runsOf(mask, height_px, width_px * height_px)), size: [height_px, width_px] };
}

/** Lengths of what is outside and inside by turns, column by column. */
function runsOf(mask: Mask, height_px: number, pixels: number): number[] {
  const { left, top, width, height, bits } = mask;
  const runs: number[] = [];
  let end = 0;
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) {
      if (bits[y * width + x] === 0) continue;
      const place = (left + x) * height_px + top + y;
      if (runs.length > 0 && place === end) runs[runs.length - 1]++;
      else runs.push(place - end, 1);
      end = place + 1;
    }
  if (end < pixels) runs.push(pixels - end);
  return runs;
}

/** Five bits a character, from the third run on as the difference to the run two before. */
function textOf(runs: readonly number[]): string {
  let text = '';
  for (const [at, run] of runs.entries()) {
    let rest = at > 2 ? run - runs[at - 2] : run;
    for (let more = true; more; ) {
      const low = rest & 31;
      rest >>= 5;
      more = (low & 16) !== 0 ? rest !== -1 : rest !== 0;
      text += String.fromCharCode(48 + (more ? low | 32 : low));
    }
  }
  return text;
}

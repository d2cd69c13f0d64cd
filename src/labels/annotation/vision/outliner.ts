import type { JsonObject } from '#core';
import { GrabCut, grabCutSettings } from '#labels/models';
import type { LaneContext, LaneFrame } from '../lane.ts';
import type { Box } from './detection.ts';

/** Margin around a box that is included, as a fraction of its longer side. */
const marginFraction = 0.25;

const grabCutId = 'opencv/grabcut';

/** Outline method, as written into artifacts. */
export const outlineMethod: JsonObject = {
  id: grabCutId,
  settings: { ...grabCutSettings, margin_share: marginFraction },
};

/** Outlines objects in boxes by separating their colours from the surroundings. */
export class Outliner {
  readonly #cut: GrabCut;
  readonly #context: Pick<LaneContext, 'progress' | 'signal'>;

  private constructor(cut: GrabCut, context: Pick<LaneContext, 'progress' | 'signal'>) {
    this.#cut = cut;
    this.#context = context;
  }

  /** Loads GrabCut and records it as the algorithm of the surface `masks`. */
  static async create(context: Pick<LaneContext, 'progress' | 'signal' | 'useAlgorithm'>): Promise<Outliner> {
    context.useAlgorithm('masks', grabCutId);
    return new Outliner(await GrabCut.create(), context);
  }

  /**
   * Reports progress and returns the mask of the object in a box, both in px of the recorded picture; `null` if
   * nothing stands out or the box is too small. Throws if the signal is aborted.
   */
  outline(frame: LaneFrame, box: Box): Mask | null {
    const { progress, signal } = this.#context;
    signal.throwIfAborted();
    progress();
    const { width_px, height_px, stored_px } = frame;
    const scales = [width_px / stored_px[0], height_px / stored_px[1]] as const;
    const own = [box[0] * scales[0], box[1] * scales[1], box[2] * scales[0], box[3] * scales[1]] as const;
    const margin = Math.max(4, marginFraction * Math.max(own[2], own[3]));
    const left = Math.max(0, Math.floor(own[0] - margin));
    const top = Math.max(0, Math.floor(own[1] - margin));
    const right = Math.min(width_px, Math.ceil(own[0] + own[2] + margin));
    const bottom = Math.min(height_px, Math.ceil(own[1] + own[3] + margin));
    const picture = cropFrame(frame, left, top, right - left, bottom - top);
    const cut = this.#cut.cut(picture, [own[0] - left, own[1] - top, own[2], own[3]]);
    if (cut === null) return null;
    const along = cut.width / (right - left);
    const down = cut.height / (bottom - top);
    return sampleMask(box, stored_px, (x, y) => {
      const u = Math.min(cut.width - 1, Math.max(0, Math.floor((x * scales[0] - left) * along)));
      const v = Math.min(cut.height - 1, Math.max(0, Math.floor((y * scales[1] - top) * down)));
      return cut.bits[v * cut.width + u];
    });
  }
}

function cropFrame({ width_px, rgb }: LaneFrame, left: number, top: number, width: number, height: number) {
  const own = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 3 * ((top + row) * width_px + left);
    own.set(rgb.subarray(from, from + 3 * width), 3 * row * width);
  }
  return { width_px: width, height_px: height, rgb: own };
}

/** Samples a mask at the pixel centres of a box with `isObject`; `null` if no pixel is set. */
function sampleMask(
  [x, y, across, along]: Box,
  [stored_width, stored_height]: readonly [number, number],
  isObject: (x: number, y: number) => number,
): Mask | null {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const width = Math.min(stored_width, Math.ceil(x + across)) - left;
  const height = Math.min(stored_height, Math.ceil(y + along)) - top;
  const bits = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      bits[row * width + column] = isObject(left + column + 0.5, top + row + 0.5);
  return bits.includes(1) ? { left, top, width, height, bits } : null;
}

/** A binary mask within a rectangle of a picture; rows from the top, 1 inside the object. */
export interface Mask {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

/** A COCO RLE: picture height and width, and column-wise runs in the text form of pycocotools. */
export interface Rle extends JsonObject {
  readonly size: [height_px: number, width_px: number];
  readonly counts: string;
}

/** Encodes a mask as COCO run lengths like `pycocotools.mask.encode` (`rleEncode` and `rleToString` in maskApi.c). */
export function encodeRle(
  mask: Mask,
  { width_px, height_px }: { readonly width_px: number; readonly height_px: number },
): Rle {
  return { counts: encodeRuns(maskRuns(mask, height_px, width_px * height_px)), size: [height_px, width_px] };
}

/** Returns the column-wise run lengths, alternating outside and inside, starting outside. */
function maskRuns(mask: Mask, height_px: number, pixels: number): number[] {
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

/** Encodes run lengths with five bits per character; from the fourth run on, the difference to the run two before. */
function encodeRuns(runs: readonly number[]): string {
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

import { gridSide, type SampledFrames } from '#core/episode';
import type { Subject } from '../check.ts';

/**
 * What the pictures of an episode look like, small enough to be held for every episode of a set: by camera id the grids
 * (8 x 8 means of luma, base64) of a frame at the beginning, at a third, at two thirds and at the end.
 */
export type PicturePrints = { readonly [camera: string]: string };

const blocks = gridSide * gridSide;
/** Where the frames lie, as shares of the time between the first frame and the last. */
const places = [0, 1 / 3, 2 / 3, 1] as const;
/** Levels by which the mean of a block may change where a picture is encoded again or the lamps flicker. */
const sameLevel = 4;
/** Blocks that may differ by more at the better end of the episode, for what moves there. */
const mostMoving = 2;

/** Null: no camera of this episode has decoded frames. */
export function picturePrints({ cameras }: Pick<Subject, 'cameras'>): PicturePrints | null {
  const prints: Record<string, string> = {};
  let any = false;
  for (const [id, { sampled }] of cameras) {
    if (sampled.index.length === 0) continue;
    prints[id] = printOf(sampled);
    any = true;
  }
  return any ? prints : null;
}

function printOf(sampled: SampledFrames): string {
  const { grid, time_s } = sampled;
  const last = time_s.length - 1;
  const print = new Uint8Array(places.length * blocks);
  places.forEach((share, i) => {
    const at = nearest(time_s, time_s[0] + share * (time_s[last] - time_s[0]));
    print.set(grid.subarray(at * blocks, (at + 1) * blocks), i * blocks);
  });
  return Buffer.from(print).toString('base64');
}

function nearest(times: Float64Array, time_s: number): number {
  let at = 0;
  for (let i = 1; i < times.length; i++)
    if (Math.abs(times[i] - time_s) < Math.abs(times[at] - time_s)) at = i;
  return at;
}

/**
 * Whether two episodes show the same: the frames at one end at least are alike, so that a copy cut at the other counts,
 * and no block differs in all frames, as another table would make it. False where one camera differs; null where they
 * have no camera in common.
 */
export function picturesAgree(a: PicturePrints | null, b: PicturePrints | null): boolean | null {
  if (a === null || b === null) return null;
  const common = Object.keys(a).filter((camera) => b[camera] !== undefined);
  if (common.length === 0) return null;
  return common.every((camera) => agree(bytesOf(a[camera]), bytesOf(b[camera])));
}

const bytesOf = (print: string) => Buffer.from(print, 'base64');

function agree(a: Uint8Array, b: Uint8Array): boolean {
  const counts = places.map(() => 0);
  let everywhere = 0;
  for (let block = 0; block < blocks; block++) {
    let least = 255;
    places.forEach((_, i) => {
      const apart = Math.abs(a[i * blocks + block] - b[i * blocks + block]);
      if (apart > sameLevel) counts[i]++;
      least = Math.min(least, apart);
    });
    if (least > sameLevel) everywhere++;
  }
  return everywhere === 0 && Math.min(counts[0], counts[places.length - 1]) <= mostMoving;
}

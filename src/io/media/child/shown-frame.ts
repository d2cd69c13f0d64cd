import type { JpegSource } from './pictures/to-jpeg.ts';

/** A frame that can be made a picture of, and when it is shown. */
export interface ShownFrame {
  readonly source: JpegSource;
  /** Since the start of the episode. */
  readonly time_s: number;
}

/** Why a frame cannot be shown. */
export class Unshown extends Error {}

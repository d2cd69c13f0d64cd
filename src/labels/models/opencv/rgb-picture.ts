/** A picture of three bytes a pixel, rows from the top. */
export interface RgbPicture {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
}

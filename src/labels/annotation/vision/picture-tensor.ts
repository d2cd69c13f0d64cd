import type { ModelSession, PictureContract, Tensor, TensorType } from '#labels/models';

/** Returns the side of the model's square input in px: fixed by its graph, else from its contract. */
export function inputSide({ inputs }: ModelSession, { side_px }: PictureContract): number {
  const fixed = inputs[0]?.dims.filter((size) => size !== null && size > 3) ?? [];
  return fixed[0] ?? side_px;
}

/**
 * Samples and normalises a square of a picture as input tensor: batch of one, colours last (`rows`) or first
 * (`planes`).
 */
export function pictureTensor(
  picture: Picture,
  placement: Placement,
  normal: Pick<PictureContract, 'mean' | 'deviation'>,
  { layout, type = 'float32' }: { readonly layout: 'rows' | 'planes'; readonly type?: TensorType },
): Tensor {
  const { side_px: side } = placement;
  const floats = sampleSquare(picture, placement, normal, layout);
  const dims = layout === 'rows' ? [1, side, side, 3] : [1, 3, side, side];
  if (type === 'int32') return { type, dims, data: Int32Array.from(floats, Math.round) };
  return { type: 'float32', dims, data: floats };
}

/** Normalisation of red, green and blue, on the scale 0 to 255. */
interface Normalisation {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/**
 * Samples a square of a picture with bilinear interpolation and normalises it; black outside the picture. `rows`:
 * interleaved RGB; `planes`: one plane per colour.
 */
export function sampleSquare(
  picture: Picture,
  placement: Placement,
  { mean, deviation }: Normalisation,
  layout: 'rows' | 'planes',
): Float32Array {
  const { side_px } = placement;
  const pixels = side_px * side_px;
  const out = new Float32Array(3 * pixels);
  const [step, plane] = layout === 'rows' ? [3, 1] : [1, pixels];
  const colour = new Float64Array(3);
  for (let v = 0; v < side_px; v++)
    for (let u = 0; u < side_px; u++) {
      interpolateColour(picture, toPicture(placement, [u + 0.5, v + 0.5]), colour);
      const at = step * (v * side_px + u);
      for (let c = 0; c < 3; c++) out[at + c * plane] = (colour[c] - mean[c]) / deviation[c];
    }
  return out;
}

/** Interpolates the colour at a point; edge pixels extend to the border of the picture. */
function interpolateColour(picture: Picture, [x, y]: readonly [number, number], colour: Float64Array): void {
  const { width_px: width, height_px: height, rgb } = picture;
  if (x < 0 || y < 0 || x > width || y > height) {
    colour.fill(0);
    return;
  }
  const [left, along] = interpolationIndex(x, width);
  const [top, down] = interpolationIndex(y, height);
  const right = 3 * Math.min(left + 1, width - 1);
  const above = 3 * top * width;
  const below = 3 * Math.min(top + 1, height - 1) * width;
  for (let c = 0; c < 3; c++) {
    const upper = rgb[above + 3 * left + c] * (1 - along) + rgb[above + right + c] * along;
    const lower = rgb[below + 3 * left + c] * (1 - along) + rgb[below + right + c] * along;
    colour[c] = upper * (1 - down) + lower * down;
  }
}

/** Returns the pixel before a coordinate, and the fraction to the next one. */
function interpolationIndex(place: number, size: number): readonly [number, number] {
  const at = Math.min(size - 1, Math.max(0, place - 0.5));
  const low = Math.floor(at);
  return [low, at - low];
}

/** RGB picture, three bytes per pixel, rows from the top. */
export interface Picture {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
}

/** Position of a model's square input in a picture. Both have their origin at the corner of the first pixel. */
export interface Placement {
  readonly side_px: number;
  /** Picture coordinates of the square's corner. */
  readonly origin: readonly [x: number, y: number];
  /** Picture vector of one px to the right in the square, and of one px down. */
  readonly right: readonly [x: number, y: number];
  readonly down: readonly [x: number, y: number];
}

type Size = Pick<Picture, 'width_px' | 'height_px'>;

/** Creates the placement that stretches the whole picture over the square, ignoring its aspect ratio. */
export const placeStretched = ({ width_px, height_px }: Size, side_px: number): Placement => ({
  side_px,
  origin: [0, 0],
  right: [width_px / side_px, 0],
  down: [0, height_px / side_px],
});

/** Creates the placement of the whole picture centred in the square, with its aspect ratio and borders beside it. */
export const placeLetterboxed = ({ width_px, height_px }: Size, side_px: number): Placement =>
  placeRotated([width_px / 2, height_px / 2], Math.max(width_px, height_px), 0, side_px);

/** Creates the placement of a square of `extent_px` picture px around a centre, rotated clockwise by `angle_rad`. */
export function placeRotated(
  [x, y]: readonly [number, number],
  extent_px: number,
  angle_rad: number,
  side_px: number,
): Placement {
  const step = extent_px / side_px;
  const right = [Math.cos(angle_rad) * step, Math.sin(angle_rad) * step] as const;
  const down = [-right[1], right[0]] as const;
  const half = side_px / 2;
  return {
    side_px,
    origin: [x - half * (right[0] + down[0]), y - half * (right[1] + down[1])],
    right,
    down,
  };
}

/** Converts a point of the square, in px of the model's input, to picture coordinates. */
export const toPicture = (
  { origin, right, down }: Placement,
  [u, v]: readonly [number, number],
): readonly [number, number] => [
  origin[0] + u * right[0] + v * down[0],
  origin[1] + u * right[1] + v * down[1],
];

import type { ModelContract, ModelSession, Tensor, TensorType } from '#labels/models';
import { inPicture, type Picture, type Placement } from './placement.ts';

/** The side of the square that a model sees: as its graph has it, else as its contract says. */
export function sideOf({ inputs }: ModelSession, { side_px }: ModelContract): number {
  const fixed = inputs[0]?.dims.filter((size) => size !== null && size > 3) ?? [];
  return fixed[0] ?? side_px;
}

/** A square of a picture as a model takes it: one picture, colours last (`rows`) or first (`planes`). */
export function pictureTensor(
  picture: Picture,
  placement: Placement,
  normal: Pick<ModelContract, 'mean' | 'deviation'>,
  { layout, type = 'float32' }: { readonly layout: 'rows' | 'planes'; readonly type?: TensorType },
): Tensor {
  const { side_px: side } = placement;
  const floats = sampleSquare(picture, placement, normal, layout);
  const dims = layout === 'rows' ? [1, side, side, 3] : [1, 3, side, side];
  if (type === 'int32') return { type, dims, data: Int32Array.from(floats, Math.round) };
  return { type: 'float32', dims, data: floats };
}

/** Of red, green and blue between 0 and 255. */
interface Normal {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/**
 * The pixels of a square as a model sees it, normalised: between the centres of the picture's pixels by their nearness,
 * black outside. `rows`: red, green and blue of a pixel side by side; `planes`: a plane each.
 */
export function sampleSquare(
  picture: Picture,
  placement: Placement,
  { mean, deviation }: Normal,
  layout: 'rows' | 'planes',
): Float32Array {
  const { side_px } = placement;
  const pixels = side_px * side_px;
  const out = new Float32Array(3 * pixels);
  const [step, plane] = layout === 'rows' ? [3, 1] : [1, pixels];
  const colour = new Float64Array(3);
  for (let v = 0; v < side_px; v++)
    for (let u = 0; u < side_px; u++) {
      mix(picture, inPicture(placement, [u + 0.5, v + 0.5]), colour);
      const at = step * (v * side_px + u);
      for (let c = 0; c < 3; c++) out[at + c * plane] = (colour[c] - mean[c]) / deviation[c];
    }
  return out;
}

/** The colour at a point; pixels at the edge reach to where the picture ends. */
function mix(picture: Picture, [x, y]: readonly [number, number], colour: Float64Array): void {
  const { width_px: width, height_px: height, rgb } = picture;
  if (x < 0 || y < 0 || x > width || y > height) {
    colour.fill(0);
    return;
  }
  const [left, along] = between(x, width);
  const [top, down] = between(y, height);
  const right = 3 * Math.min(left + 1, width - 1);
  const above = 3 * top * width;
  const below = 3 * Math.min(top + 1, height - 1) * width;
  for (let c = 0; c < 3; c++) {
    const upper = rgb[above + 3 * left + c] * (1 - along) + rgb[above + right + c] * along;
    const lower = rgb[below + 3 * left + c] * (1 - along) + rgb[below + right + c] * along;
    colour[c] = upper * (1 - down) + lower * down;
  }
}

/** The pixel before a place, and how far on to the next one it is. */
function between(place: number, size: number): readonly [number, number] {
  const at = Math.min(size - 1, Math.max(0, place - 0.5));
  const low = Math.floor(at);
  return [low, at - low];
}

import type { ModelContract, ModelSession, Tensor, TensorType } from '#labels/models';
import type { Picture, Placement } from './placement.ts';
import { sampleSquare } from './sample-square.ts';

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

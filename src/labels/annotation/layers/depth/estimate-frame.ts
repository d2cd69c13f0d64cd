import { AssayError } from '#core';
import type { LaneFrame } from '../../lane.ts';
import type { DepthMap } from './depth-map.ts';
import type { DepthModel } from './depth-model.ts';
import { planesOf } from './resize-planes.ts';

/** What a model says of a frame, at the size that it saw; null size dimensions of the model are free. */
export async function estimateFrame(frame: LaneFrame, model: DepthModel): Promise<DepthMap> {
  const { session, contract, input, output } = model;
  const [width, height] = [
    input.dims[3] ?? sideFor(frame.width_px, contract.multiple_px),
    input.dims[2] ?? sideFor(frame.height_px, contract.multiple_px),
  ];
  const data = planesOf(frame, [width, height], contract);
  const pixels = { type: 'float32', dims: [1, 3, height, width], data } as const;
  const result = (await session.run({ [input.name]: pixels }))[output.name];
  const [height_px, width_px] = result?.dims.slice(-2) ?? [0, 0];
  if (result?.type !== 'float32' || result.data.length !== width_px * height_px || result.data.length === 0)
    throw new AssayError(
      'layer_unavailable',
      `the model ${session.model} gave ${result?.type} of ${result?.dims.join(' x ')}, no depth map`,
    );
  return { width_px, height_px, values: result.data };
}

/** The multiple nearest to a side. */
const sideFor = (side_px: number, multiple_px: number): number =>
  Math.max(1, Math.round(side_px / multiple_px)) * multiple_px;

import { AssayError } from '#core';
import type { ModelSession, TensorSpec } from '#labels/models';

/** How a depth model's pictures are prepared and what its numbers are. */
interface DepthContract {
  /** `inverse`: larger is nearer, up to a scale and an offset. `canonical`: metres of a camera of that focal length. */
  readonly gives: 'inverse' | 'canonical';
  readonly focal_px: number | null;
  /** Sides are multiples of it. */
  readonly multiple_px: number;
  /** Of red, green and blue between 0 and 255. */
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/** ImageNet's, as `preprocessor_config.json` of Depth Anything has them. */
const imagenet = { mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375] } as const;
const inverse: DepthContract = { gives: 'inverse', focal_px: null, multiple_px: 14, ...imagenet };

/** Metric3D's exports normalise pictures themselves, and answer for a focal length of 1000 px. */
const contracts: Readonly<Record<string, DepthContract>> = {
  'onnx-community/depth-anything-v2-small': inverse,
  'yvanyin/metric3dv2-vit-large': {
    ...{ gives: 'canonical', focal_px: 1000, multiple_px: 28, mean: [0, 0, 0], deviation: [1, 1, 1] },
  },
};

/** A model that was found to take a picture and to give a depth map. */
export interface DepthModel {
  readonly session: ModelSession;
  readonly contract: DepthContract;
  readonly input: TensorSpec;
  readonly output: TensorSpec;
}

/** Holds a model against what is known of it. Throws `layer_unavailable` where it is of another shape. */
export function depthModel(session: ModelSession): DepthModel {
  const contract = contracts[session.model] ?? inverse;
  const [input] = session.inputs;
  const output = session.outputs.find(({ name }) => name === 'predicted_depth') ?? session.outputs[0];
  const takesPictures =
    session.inputs.length === 1 &&
    input.type === 'float32' &&
    input.dims.length === 4 &&
    (input.dims[1] ?? 3) === 3 &&
    (input.dims[0] ?? 1) === 1;
  const givesMaps = output?.type === 'float32' && (output.dims.length === 3 || output.dims.length === 4);
  if (!takesPictures || !givesMaps)
    throw new AssayError(
      'layer_unavailable',
      `the model ${session.model} is no depth model: it must take 1 x 3 x height x width floats and give 1 x height x width`,
      { advice: `assay models verify ${session.model}, or choose another model for depth` },
    );
  if (contract.gives === 'canonical' && (input.dims[2] !== null || input.dims[3] !== null))
    throw new AssayError(
      'layer_unavailable',
      `the model ${session.model} takes one size of picture only; stretching a picture would falsify its metres`,
      { advice: 'use an export with free height and width' },
    );
  return { session, contract, input, output };
}

import type { ModelContract } from '../../contract.ts';

/** A detector of hands, and 21 points of a square around one: as @vladmandic/human brings them. */
export const handCrops: ModelContract = {
  form: 'hand-crops',
  side_px: 320,
  mean: [0, 0, 0],
  deviation: [255, 255, 255],
  graphs: {
    detector: {
      inputs: { input_tensor: { type: 'int32', dims: [1, 320, 320, 3] } },
      outputs: {
        'StatefulPartitionedCall/Postprocessor/Slice': { type: 'float32', dims: [1, null, 7] },
        'StatefulPartitionedCall/Postprocessor/ExpandDims_1': { type: 'float32', dims: [1, null, 1, 4] },
      },
    },
    landmarks: {
      inputs: { input_1: { type: 'float32', dims: [1, 224, 224, 3] } },
      outputs: {
        Identity: { type: 'float32', dims: [1, 63] },
        Identity_1: { type: 'float32', dims: [1, 1] },
        Identity_2: { type: 'float32', dims: [1, 1] },
      },
    },
  },
};

/** MoveNet for one person. */
export const moveNet: ModelContract = {
  form: 'movenet',
  side_px: 192,
  mean: [0, 0, 0],
  deviation: [1, 1, 1],
  graphs: {
    main: {
      inputs: { input: { type: 'int32', dims: [1, 192, 192, 3] } },
      outputs: { Identity: { type: 'float32', dims: [1, 1, 17, 3] } },
    },
  },
};

import type { ModelContract } from '../../contract.ts';

const imagenet = { mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375] } as const;
const unitRange = { mean: [0, 0, 0], deviation: [255, 255, 255] } as const;
const asStored = { mean: [0, 0, 0], deviation: [1, 1, 1] } as const;

/** Exports of transformers; the classes are COCO's 80, or its 91 numbers. */
const detrGraph = (classes: number): ModelContract['graphs'] => ({
  main: {
    inputs: { pixel_values: { type: 'float32', dims: [1, 3, null, null] } },
    outputs: {
      logits: { type: 'float32', dims: [1, null, classes] },
      pred_boxes: { type: 'float32', dims: [1, null, 4] },
    },
  },
});

/** RT-DETR and D-FINE. */
export const rtDetr: ModelContract = { form: 'detr', side_px: 640, graphs: detrGraph(80), ...unitRange };

/** RF-DETR, each size with a side of its own. */
export const rfDetr = (side_px: number): ModelContract => ({
  ...{ form: 'detr', side_px, graphs: detrGraph(91), ...imagenet },
});

/** CenterNet as @vladmandic/human brings it. */
export const centernet: ModelContract = {
  form: 'centernet',
  side_px: 512,
  graphs: {
    main: {
      inputs: { 'tower_0/images': { type: 'float32', dims: [1, 512, 512, 3] } },
      outputs: { 'tower_0/detections': { type: 'float32', dims: [1, 100, 6] } },
    },
  },
  ...asStored,
};

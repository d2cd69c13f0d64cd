import type { ModelContract } from '../contract.ts';
import { benchmarkResult, hubWeights, type SurfaceRow, visionModelWeights } from '../surface.ts';

/** Models for open-vocabulary detection. */
export const openVocabulary: SurfaceRow = {
  id: 'open_vocabulary',
  title: 'Open-vocabulary object detection',
  selectable: false,
  options: [
    {
      id: 'idea-research/grounding-dino-tiny',
      title: 'Grounding DINO T',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: hubWeights('onnx-community/grounding-dino-tiny-ONNX', [
        'preprocessor_config.json',
        'tokenizer.json',
        'tokenizer_config.json',
        'onnx/model.onnx',
      ]),
      evidence: [benchmarkResult('COCO zero-shot', 'AP', 48.4)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'facebook/sam3',
      title: 'SAM 3',
      licence: 'SAM licence',
      reason: 'the licence restricts its use',
      evidence: [benchmarkResult('COCO box', 'AP', 56.4)],
    },
    {
      id: 'idea-research/dino-x',
      title: 'DINO-X',
      licence: 'no weights',
      reason: 'available only as a paid API; images would leave your network',
      evidence: [benchmarkResult('COCO zero-shot', 'AP', 56.0)],
    },
  ],
};

const imagenet = { mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375] } as const;
const unitRange = { mean: [0, 0, 0], deviation: [255, 255, 255] } as const;
const unscaled = { mean: [0, 0, 0], deviation: [1, 1, 1] } as const;

/** Graph of transformers exports, with 80 COCO classes or 91 COCO category ids. */
const detrGraph = (classes: number): ModelContract['graphs'] => ({
  main: {
    inputs: { pixel_values: { type: 'float32', dims: [1, 3, null, null] } },
    outputs: {
      logits: { type: 'float32', dims: [1, null, classes] },
      pred_boxes: { type: 'float32', dims: [1, null, 4] },
    },
  },
});

/** Contract of RT-DETR and D-FINE. */
const rtDetr: ModelContract = { form: 'detr', side_px: 640, graphs: detrGraph(80), ...unitRange };

/** Contract of RF-DETR; the input side depends on the model size. */
const rfDetr = (side_px: number): ModelContract => ({
  ...{ form: 'detr', side_px, graphs: detrGraph(91), ...imagenet },
});

/** Contract of CenterNet as shipped in @vladmandic/human. */
const centernet: ModelContract = {
  form: 'centernet',
  side_px: 512,
  graphs: {
    main: {
      inputs: { 'tower_0/images': { type: 'float32', dims: [1, 512, 512, 3] } },
      outputs: { 'tower_0/detections': { type: 'float32', dims: [1, 100, 6] } },
    },
  },
  ...unscaled,
};

const objects365 = { note: 'pretrained on Objects365' };

/** Models for object detection. */
export const detection: SurfaceRow = {
  id: 'detection',
  title: 'Object detection',
  selectable: true,
  options: [
    {
      id: 'roboflow/rf-detr-nano',
      title: 'RF-DETR N',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      contract: rfDetr(384),
      weights: visionModelWeights('onnx-community/rfdetr_nano-ONNX'),
      evidence: [benchmarkResult('COCO', 'AP', 48.4)],
    },
    {
      id: 'roboflow/rf-detr-large',
      title: 'RF-DETR L',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      contract: rfDetr(704),
      evidence: [benchmarkResult('COCO', 'AP', 56.5)],
    },
    {
      id: 'peterande/d-fine-n',
      title: 'D-FINE N',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      contract: rtDetr,
      weights: visionModelWeights('onnx-community/dfine_n_coco-ONNX'),
      evidence: [benchmarkResult('COCO', 'AP', 42.8)],
    },
    {
      id: 'peterande/d-fine-s',
      title: 'D-FINE S',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      contract: rtDetr,
      weights: visionModelWeights('onnx-community/dfine_s_obj2coco-ONNX'),
      evidence: [benchmarkResult('COCO', 'AP', 50.7, objects365)],
    },
    {
      id: 'peterande/d-fine-l',
      title: 'D-FINE L',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      contract: rtDetr,
      weights: visionModelWeights('onnx-community/dfine_l_obj2coco_e25-ONNX'),
      evidence: [benchmarkResult('COCO', 'AP', 57.3, objects365)],
    },
    {
      id: 'peterande/d-fine-x',
      title: 'D-FINE X',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      contract: rtDetr,
      weights: visionModelWeights('onnx-community/dfine_x_obj2coco-ONNX'),
      evidence: [benchmarkResult('COCO', 'AP', 59.3, objects365)],
    },
    {
      id: 'lyuwenyu/rt-detrv2-s',
      title: 'RT-DETRv2 S',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      contract: rtDetr,
      weights: visionModelWeights('onnx-community/rtdetr_v2_r18vd-ONNX'),
      evidence: [benchmarkResult('COCO', 'AP', 48.1)],
    },
    {
      id: 'lyuwenyu/rt-detrv2-l',
      title: 'RT-DETRv2 L',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      contract: rtDetr,
      weights: visionModelWeights('onnx-community/rtdetr_v2_r50vd-ONNX'),
      evidence: [benchmarkResult('COCO', 'AP', 53.4)],
    },
    {
      id: '610265158/mb3-centernet',
      title: 'CenterNet on MobileNetV3',
      licence: 'not stated by its authors (the package that contains it is MIT)',
      needs_consent: 'its authors state no licence for its weights',
      runtime: 'bundled',
      bundled: { package: '@vladmandic/human', files: { main: 'models/centernet.json' } },
      contract: centernet,
      evidence: [
        benchmarkResult('COCO', 'AP', 25.1, {
          note: 'mbv3-large-0.75 at 512 × 512 px by its authors; the bundled conversion was not measured',
        }),
      ],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'roboflow/rf-detr-2xl',
      title: 'RF-DETR 2XL',
      licence: 'PML-1.0',
      reason: 'the licence of the larger sizes restricts their use',
      evidence: [benchmarkResult('COCO', 'AP', 60.1)],
    },
    {
      id: 'ultralytics/yolo26-x',
      title: 'YOLO26 X',
      licence: 'AGPL-3.0',
      reason: 'a network service that uses it must publish its entire source code',
      evidence: [benchmarkResult('COCO', 'AP', 56.9)],
    },
    {
      id: 'intellindust/deimv2-x',
      title: 'DEIMv2 X',
      licence: 'Apache-2.0 with a backbone under the DINOv3 licence',
      reason: 'its DINOv3 backbone adds the terms of that licence',
      evidence: [benchmarkResult('COCO', 'AP', 57.8)],
    },
  ],
};

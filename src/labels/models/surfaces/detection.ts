import type { PictureContract } from '../contract.ts';
import { benchmarkResult, pinnedGraph, type SurfaceRow, visionModelWeights } from '../surface.ts';

const imagenet = { mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375] } as const;
const unitRange = { mean: [0, 0, 0], deviation: [255, 255, 255] } as const;
const unscaled = { mean: [0, 0, 0], deviation: [1, 1, 1] } as const;

/** Graph of transformers exports, with 80 COCO classes or 91 COCO category ids. */
const detrGraph = (classes: number): PictureContract['graphs'] => ({
  main: {
    inputs: { pixel_values: { type: 'float32', dims: [1, 3, null, null] } },
    outputs: {
      logits: { type: 'float32', dims: [1, null, classes] },
      pred_boxes: { type: 'float32', dims: [1, null, 4] },
    },
  },
});

/** Contract of RT-DETR and D-FINE. */
const rtDetr: PictureContract = { form: 'detr', side_px: 640, graphs: detrGraph(80), ...unitRange };

/** Contract of RF-DETR; the input side depends on the model size. */
const rfDetr = (side_px: number): PictureContract => ({
  ...{ form: 'detr', side_px, graphs: detrGraph(91), ...imagenet },
});

/** Contract of CenterNet as shipped in @vladmandic/human. */
const centernet: PictureContract = {
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
      weights: pinnedGraph('onnx-community/rfdetr_nano-ONNX', 'eae21cee0687a91bcf9fa071605c48d7705d2d91', {
        sha256: '9cbac6b11ce34a03034e4d5a24cfac5f18632fd6761d1311dd640232088d7fee',
        bytes: 108_074_865,
      }),
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
      weights: pinnedGraph('onnx-community/dfine_n_coco-ONNX', '380d2839c327efaf65dd0fe0c2c10ab7fadd5473', {
        sha256: '0f684f409618ee8a822410e754a29caa817d1aa16283ce89cad936d0a48e2f35',
        bytes: 15_258_358,
      }),
      evidence: [benchmarkResult('COCO', 'AP', 42.8)],
    },
    {
      id: 'peterande/d-fine-s',
      title: 'D-FINE S',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      contract: rtDetr,
      weights: pinnedGraph(
        'onnx-community/dfine_s_obj2coco-ONNX',
        'f69c4ca98cba7ca58aa15b3d4600867808fecf1b',
        { sha256: 'b9e2e76610053aeeac3b2f1f685d8f9a1182a93a338f624b6c8cb7fb390cb532', bytes: 41_535_197 },
      ),
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
      weights: pinnedGraph(
        'onnx-community/rtdetr_v2_r18vd-ONNX',
        '936f90b6a476c6da4dfe053fc521af55285976ba',
        { sha256: '583a236ac21c95a7fd94f284fc21485e42355bfef82c27011ba78fbc09ee87e2', bytes: 81_057_510 },
      ),
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

/** Algorithms for object masks. */
export const masks: SurfaceRow = {
  id: 'masks',
  title: 'Object masks',
  selectable: true,
  options: [
    {
      id: 'opencv/grabcut',
      title: 'GrabCut',
      licence: 'Apache-2.0',
      runtime: 'algorithm',
      evidence: [],
      no_evidence:
        'it refines a box that a detector or a person gave, so its result depends on the box; there are no labelled masks of robot recordings to measure it with',
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'facebook/sam3',
      title: 'SAM 3',
      licence: 'SAM licence',
      reason: 'the licence restricts its use',
      evidence: [benchmarkResult('LVIS', 'mask AP', 48.5)],
    },
  ],
};

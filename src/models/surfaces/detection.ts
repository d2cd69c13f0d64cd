import { type SurfaceRow, scored, visionModel } from '../surface.ts';

const objects365 = { note: 'pretrained on Objects365' };

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
      weights: visionModel('onnx-community/rfdetr_nano-ONNX'),
      evidence: [scored('COCO', 'AP', 48.4)],
    },
    {
      id: 'roboflow/rf-detr-large',
      title: 'RF-DETR L',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      evidence: [scored('COCO', 'AP', 56.5)],
    },
    {
      id: 'peterande/d-fine-n',
      title: 'D-FINE N',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModel('onnx-community/dfine_n_coco-ONNX'),
      evidence: [scored('COCO', 'AP', 42.8)],
    },
    {
      id: 'peterande/d-fine-s',
      title: 'D-FINE S',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModel('onnx-community/dfine_s_obj2coco-ONNX'),
      evidence: [scored('COCO', 'AP', 50.7, objects365)],
    },
    {
      id: 'peterande/d-fine-l',
      title: 'D-FINE L',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModel('onnx-community/dfine_l_obj2coco_e25-ONNX'),
      evidence: [scored('COCO', 'AP', 57.3, objects365)],
    },
    {
      id: 'peterande/d-fine-x',
      title: 'D-FINE X',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModel('onnx-community/dfine_x_obj2coco-ONNX'),
      evidence: [scored('COCO', 'AP', 59.3, objects365)],
    },
    {
      id: 'lyuwenyu/rt-detrv2-s',
      title: 'RT-DETRv2 S',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModel('onnx-community/rtdetr_v2_r18vd-ONNX'),
      evidence: [scored('COCO', 'AP', 48.1)],
    },
    {
      id: 'lyuwenyu/rt-detrv2-l',
      title: 'RT-DETRv2 L',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModel('onnx-community/rtdetr_v2_r50vd-ONNX'),
      evidence: [scored('COCO', 'AP', 53.4)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'roboflow/rf-detr-2xl',
      title: 'RF-DETR 2XL',
      licence: 'PML-1.0',
      reason: 'the licence of the larger sizes limits what they may be used for',
      evidence: [scored('COCO', 'AP', 60.1)],
    },
    {
      id: 'ultralytics/yolo26-x',
      title: 'YOLO26 X',
      licence: 'AGPL-3.0',
      reason: 'whoever offers it over a network must offer the source of everything around it',
      evidence: [scored('COCO', 'AP', 56.9)],
    },
    {
      id: 'intellindust/deimv2-x',
      title: 'DEIMv2 X',
      licence: 'Apache-2.0 with a backbone under the DINOv3 licence',
      reason: 'its DINOv3 backbone brings that licence’s terms along',
      evidence: [scored('COCO', 'AP', 57.8)],
    },
  ],
};

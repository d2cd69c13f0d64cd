import { type SurfaceRow, scored } from '../surface.ts';

export const segmentationSurface: SurfaceRow = {
  id: 'segmentation',
  title: 'Class of every pixel',
  selectable: true,
  options: [
    {
      id: 'tue-mps/eomt-large-dinov2',
      title: 'EoMT L with DINOv2',
      licence: 'MIT',
      runtime: 'onnx_export_needed',
      evidence: [scored('ADE20K', 'mIoU', 58.4)],
    },
    {
      id: 'facebook/mask2former-r50',
      title: 'Mask2Former R50',
      licence: 'MIT',
      runtime: 'onnx_export_needed',
      evidence: [scored('ADE20K', 'mIoU', 47.2)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'tue-mps/eomt-large-dinov3',
      title: 'EoMT L with DINOv3',
      licence: 'DINOv3 licence',
      reason: 'its backbone brings the DINOv3 licence along',
      evidence: [scored('ADE20K', 'mIoU', 59.5)],
    },
    {
      id: 'nvidia/segformer',
      title: 'SegFormer',
      licence: 'NVIDIA non-commercial',
      reason: 'non-commercial use only',
      evidence: [],
    },
  ],
};

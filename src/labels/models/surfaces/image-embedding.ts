import { type SurfaceRow, scored, visionModel } from '../surface.ts';

export const imageEmbedding: SurfaceRow = {
  id: 'image_embedding',
  title: 'Likeness of pictures',
  selectable: true,
  options: [
    {
      id: 'facebook/dinov2-small',
      title: 'DINOv2 S',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModel('onnx-community/dinov2-small'),
      evidence: [scored('ImageNet-1k linear', 'accuracy', 81.1)],
    },
    {
      id: 'facebook/dinov2-base',
      title: 'DINOv2 B',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModel('onnx-community/dinov2-base'),
      evidence: [scored('ImageNet-1k linear', 'accuracy', 84.5)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'apple/mobileclip2-s4',
      title: 'MobileCLIP2 S4',
      licence: 'research only',
      reason: 'its weights may be used for research only',
      evidence: [scored('not stated', 'not stated', 81.9)],
    },
    {
      id: 'google/siglip2-base-patch16-256',
      title: 'SigLIP 2 B/16',
      licence: 'not verified',
      reason: 'the licence of its weights could not be verified',
      evidence: [scored('ImageNet zero-shot', 'accuracy', 79.1), scored('COCO', 'text to image', 53.2)],
    },
    {
      id: 'facebook/dinov3',
      title: 'DINOv3',
      licence: 'DINOv3 licence',
      reason: 'the licence limits what it may be used for',
      evidence: [],
    },
  ],
};

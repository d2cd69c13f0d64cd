import { benchmarkResult, hubWeights, type SurfaceRow } from '../surface.ts';

/** Models for semantic segmentation. */
export const segmentationSurface: SurfaceRow = {
  id: 'segmentation',
  title: 'Semantic segmentation',
  selectable: true,
  options: [
    {
      id: 'tue-mps/eomt-large-dinov2',
      title: 'EoMT L with DINOv2',
      licence: 'MIT',
      runtime: 'onnx_export_needed',
      evidence: [benchmarkResult('ADE20K', 'mIoU', 58.4)],
    },
    {
      id: 'facebook/mask2former-r50',
      title: 'Mask2Former R50',
      licence: 'MIT',
      runtime: 'onnx_export_needed',
      evidence: [benchmarkResult('ADE20K', 'mIoU', 47.2)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'tue-mps/eomt-large-dinov3',
      title: 'EoMT L with DINOv3',
      licence: 'DINOv3 licence',
      reason: 'its backbone is under the DINOv3 licence',
      evidence: [benchmarkResult('ADE20K', 'mIoU', 59.5)],
    },
    {
      id: 'nvidia/segformer',
      title: 'SegFormer',
      licence: 'NVIDIA non-commercial',
      reason: 'non-commercial use only',
      evidence: [],
      no_evidence: 'no score was found in the README or paper of its authors',
    },
  ],
};

/** SAM weights: a picture encoder and a prompt decoder, each with external data. */
const segmentAnything = (repository: string) =>
  hubWeights(repository, [
    'preprocessor_config.json',
    'onnx/vision_encoder.onnx',
    'onnx/vision_encoder.onnx_data',
    'onnx/prompt_encoder_mask_decoder.onnx',
    'onnx/prompt_encoder_mask_decoder.onnx_data',
  ]);

/** Models for object masks. */
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
    {
      id: 'facebook/sam2.1-hiera-tiny',
      title: 'SAM 2.1 tiny',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: segmentAnything('onnx-community/sam2.1-hiera-tiny-ONNX'),
      evidence: [benchmarkResult('SA-V test', 'J&F', 76.5)],
    },
    {
      id: 'facebook/sam2.1-hiera-large',
      title: 'SAM 2.1 large',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: segmentAnything('onnx-community/sam2.1-hiera-large-ONNX'),
      evidence: [benchmarkResult('SA-V test', 'J&F', 79.5)],
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

import { onHub, type SurfaceRow, scored } from '../surface.ts';

/** A graph for the picture, one for the clicks, and the numbers of both. */
const segmentAnything = (repository: string) =>
  onHub(repository, [
    'preprocessor_config.json',
    'onnx/vision_encoder.onnx',
    'onnx/vision_encoder.onnx_data',
    'onnx/prompt_encoder_mask_decoder.onnx',
    'onnx/prompt_encoder_mask_decoder.onnx_data',
  ]);

export const masks: SurfaceRow = {
  id: 'masks',
  title: 'Outline of an object',
  selectable: true,
  options: [
    {
      id: 'opencv/grabcut',
      title: 'GrabCut',
      licence: 'Apache-2.0',
      runtime: 'algorithm',
      evidence: [],
    },
    {
      id: 'facebook/sam2.1-hiera-tiny',
      title: 'SAM 2.1 tiny',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: segmentAnything('onnx-community/sam2.1-hiera-tiny-ONNX'),
      evidence: [scored('SA-V test', 'J&F', 76.5)],
    },
    {
      id: 'facebook/sam2.1-hiera-large',
      title: 'SAM 2.1 large',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: segmentAnything('onnx-community/sam2.1-hiera-large-ONNX'),
      evidence: [scored('SA-V test', 'J&F', 79.5)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'facebook/sam3',
      title: 'SAM 3',
      licence: 'SAM licence',
      reason: 'the licence limits what it may be used for',
      evidence: [scored('LVIS', 'mask AP', 48.5)],
    },
  ],
};

import { type SurfaceRow, scored } from '../surface.ts';

export const masks: SurfaceRow = {
  id: 'masks',
  title: 'Outline of an object',
  selectable: true,
  options: [
    {
      id: 'facebook/sam2.1-hiera-tiny',
      title: 'SAM 2.1 tiny',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      evidence: [scored('SA-V test', 'J&F', 76.5)],
    },
    {
      id: 'facebook/sam2.1-hiera-large',
      title: 'SAM 2.1 large',
      licence: 'Apache-2.0',
      runtime: 'onnx',
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

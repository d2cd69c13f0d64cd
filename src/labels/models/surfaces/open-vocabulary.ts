import { onHub, type SurfaceRow, scored } from '../surface.ts';

export const openVocabulary: SurfaceRow = {
  id: 'open_vocabulary',
  title: 'Detection of named objects',
  selectable: false,
  options: [
    {
      id: 'idea-research/grounding-dino-tiny',
      title: 'Grounding DINO T',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: onHub('onnx-community/grounding-dino-tiny-ONNX', [
        'preprocessor_config.json',
        'tokenizer.json',
        'tokenizer_config.json',
        'onnx/model.onnx',
      ]),
      evidence: [scored('COCO zero-shot', 'AP', 48.4)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'facebook/sam3',
      title: 'SAM 3',
      licence: 'SAM licence',
      reason: 'the licence limits what it may be used for',
      evidence: [scored('COCO box', 'AP', 56.4)],
    },
    {
      id: 'idea-research/dino-x',
      title: 'DINO-X',
      licence: 'no weights',
      reason: 'it is offered as a paid interface only; pictures would leave the house',
      evidence: [scored('COCO zero-shot', 'AP', 56.0)],
    },
  ],
};

import { onHub, type SurfaceRow, scored } from '../surface.ts';

export const textEmbedding: SurfaceRow = {
  id: 'text_embedding',
  title: 'Likeness of texts',
  selectable: false,
  options: [
    {
      id: 'sentence-transformers/all-minilm-l6-v2',
      title: 'all-MiniLM-L6-v2',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: onHub('Xenova/all-MiniLM-L6-v2', [
        'tokenizer.json',
        'tokenizer_config.json',
        'onnx/model.onnx',
      ]),
      evidence: [scored('mean of 14 sets', 'not stated', 68.06)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'google/embeddinggemma',
      title: 'EmbeddingGemma',
      licence: 'Gemma terms',
      reason: 'the terms limit what it may be used for, and may change',
      evidence: [scored('MTEB English', 'not stated', 69.67)],
    },
  ],
};

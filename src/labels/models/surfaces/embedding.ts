import { benchmarkResult, hubWeights, type SurfaceRow, visionModelWeights } from '../surface.ts';

/** Models for image similarity. */
export const imageEmbedding: SurfaceRow = {
  id: 'image_embedding',
  title: 'Image similarity',
  selectable: true,
  options: [
    {
      id: 'facebook/dinov2-small',
      title: 'DINOv2 S',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModelWeights('onnx-community/dinov2-small'),
      evidence: [benchmarkResult('ImageNet-1k linear', 'accuracy', 81.1)],
    },
    {
      id: 'facebook/dinov2-base',
      title: 'DINOv2 B',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModelWeights('onnx-community/dinov2-base'),
      evidence: [benchmarkResult('ImageNet-1k linear', 'accuracy', 84.5)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'apple/mobileclip2-s4',
      title: 'MobileCLIP2 S4',
      licence: 'research only',
      reason: 'its weights are for research use only',
      evidence: [benchmarkResult('not stated', 'not stated', 81.9)],
    },
    {
      id: 'google/siglip2-base-patch16-256',
      title: 'SigLIP 2 B/16',
      licence: 'not verified',
      reason: 'the licence of its weights could not be verified',
      evidence: [
        benchmarkResult('ImageNet zero-shot', 'accuracy', 79.1),
        benchmarkResult('COCO', 'text to image', 53.2),
      ],
    },
    {
      id: 'facebook/dinov3',
      title: 'DINOv3',
      licence: 'DINOv3 licence',
      reason: 'the licence restricts its use',
      evidence: [],
      no_evidence: 'no score was found in the README or paper of its authors',
    },
  ],
};

/** Models for text similarity. */
export const textEmbedding: SurfaceRow = {
  id: 'text_embedding',
  title: 'Text similarity',
  selectable: false,
  options: [
    {
      id: 'sentence-transformers/all-minilm-l6-v2',
      title: 'all-MiniLM-L6-v2',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: hubWeights('Xenova/all-MiniLM-L6-v2', [
        'tokenizer.json',
        'tokenizer_config.json',
        'onnx/model.onnx',
      ]),
      evidence: [benchmarkResult('mean of 14 datasets', 'not stated', 68.06)],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'google/embeddinggemma',
      title: 'EmbeddingGemma',
      licence: 'Gemma terms',
      reason: 'the terms restrict its use and may change',
      evidence: [benchmarkResult('MTEB English', 'not stated', 69.67)],
    },
  ],
};

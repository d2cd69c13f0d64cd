import { onHub, type SurfaceRow, scored } from '../surface.ts';
import { selfHostedVision } from './self-hosted-vision.ts';

const smolVlm = (repository: string) =>
  onHub(repository, [
    'generation_config.json',
    'preprocessor_config.json',
    'processor_config.json',
    'chat_template.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'onnx/vision_encoder.onnx',
    'onnx/embed_tokens.onnx',
    'onnx/decoder_model_merged.onnx',
  ]);

export const captioning: SurfaceRow = {
  id: 'captioning',
  title: 'Texts about pictures',
  selectable: true,
  options: [
    {
      id: 'assay/grammar',
      title: 'Sentences composed from measurements',
      licence: 'Apache-2.0',
      runtime: 'algorithm',
      evidence: [],
    },
    {
      id: 'huggingfacetb/smolvlm2-256m',
      title: 'SmolVLM2 256M',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: smolVlm('HuggingFaceTB/SmolVLM2-256M-Video-Instruct'),
      evidence: [scored('Video-MME', 'accuracy', 33.7, { source: 'secondary' })],
    },
    {
      id: 'huggingfacetb/smolvlm2-500m',
      title: 'SmolVLM2 500M',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: smolVlm('HuggingFaceTB/SmolVLM2-500M-Video-Instruct'),
      evidence: [scored('Video-MME', 'accuracy', 42.2, { source: 'secondary' })],
    },
    {
      id: 'huggingfacetb/smolvlm2-2.2b',
      title: 'SmolVLM2 2.2B',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      evidence: [
        scored('Video-MME', 'accuracy', 52.1, { source: 'secondary' }),
        scored('MLVU', 'accuracy', 55.2, { source: 'secondary' }),
      ],
    },
    selfHostedVision,
  ],
  by_use_case: {},
  rejected: [],
};

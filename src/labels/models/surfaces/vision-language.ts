import { benchmarkResult, hubWeights, type ModelOption, type SurfaceRow } from '../surface.ts';

/** The model that the installation's vision endpoint serves. */
const selfHostedVision: ModelOption = {
  id: 'self-hosted/vision',
  title: 'Self-hosted vision language model, such as Qwen3-VL (Apache-2.0)',
  licence: 'licence of the served model',
  runtime: 'endpoint',
  evidence: [],
  no_evidence: 'the results are those of the model that the endpoint serves',
};

/** Models that review annotations. */
export const reviewing: SurfaceRow = {
  id: 'reviewing',
  title: 'Annotation review',
  selectable: true,
  options: [
    {
      id: 'assay/review-tests',
      title: 'Deterministic tests only',
      licence: 'Apache-2.0',
      runtime: 'algorithm',
      evidence: [],
      no_evidence:
        'it reports contradictions within the annotations by fixed rules; there is no benchmark of such rules',
    },
    selfHostedVision,
  ],
  by_use_case: {},
  rejected: [],
};

const smolVlm = (repository: string) =>
  hubWeights(repository, [
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

/** Models that write texts about pictures. */
export const captioning: SurfaceRow = {
  id: 'captioning',
  title: 'Captioning',
  selectable: true,
  options: [
    {
      id: 'assay/grammar',
      title: 'Sentences generated from measurements',
      licence: 'Apache-2.0',
      runtime: 'algorithm',
      evidence: [],
      no_evidence: 'it writes measured values in fixed sentences; there is no benchmark of such texts',
    },
    {
      id: 'huggingfacetb/smolvlm2-256m',
      title: 'SmolVLM2 256M',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: smolVlm('HuggingFaceTB/SmolVLM2-256M-Video-Instruct'),
      evidence: [benchmarkResult('Video-MME', 'accuracy', 33.7, { source: 'secondary' })],
    },
    {
      id: 'huggingfacetb/smolvlm2-500m',
      title: 'SmolVLM2 500M',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: smolVlm('HuggingFaceTB/SmolVLM2-500M-Video-Instruct'),
      evidence: [benchmarkResult('Video-MME', 'accuracy', 42.2, { source: 'secondary' })],
    },
    {
      id: 'huggingfacetb/smolvlm2-2.2b',
      title: 'SmolVLM2 2.2B',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      evidence: [
        benchmarkResult('Video-MME', 'accuracy', 52.1, { source: 'secondary' }),
        benchmarkResult('MLVU', 'accuracy', 55.2, { source: 'secondary' }),
      ],
    },
    selfHostedVision,
  ],
  by_use_case: {},
  rejected: [],
};

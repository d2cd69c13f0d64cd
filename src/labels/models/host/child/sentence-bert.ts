import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Tensor as TfTensor } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import type { Tensor, TensorSpec, Tensors } from '../../contract.ts';
import { readSafetensorsHeader, type StoredTensor } from '../../weights/safetensors-file.ts';
import type { LoadedGraph } from './loaded-models.ts';

type Tf = typeof import('@tensorflow/tfjs-core');
type Weights = ReadonlyMap<string, TfTensor>;

/** Members of `config.json` that this implementation depends on. */
const configSchema = z.object({
  model_type: z.literal('bert'),
  hidden_act: z.literal('gelu'),
  position_embedding_type: z.literal('absolute').default('absolute'),
  num_hidden_layers: z.int().min(1).max(48),
  num_attention_heads: z.int().min(1).max(64),
  layer_norm_eps: z.number().positive(),
});
type BertConfig = z.output<typeof configSchema>;

const inputs: readonly TensorSpec[] = ['input_ids', 'attention_mask'].map((name) => ({
  ...{ name, type: 'int32', dims: [null, null] },
}));

/**
 * Loads a BERT encoder from a safetensors file and the `config.json` beside it, as a graph that turns token ids into
 * sentence vectors: the mean of the last hidden states, of length 1 (as sentence-transformers computes them).
 */
export async function loadSentenceBert(tf: Tf, path: string): Promise<LoadedGraph> {
  const configPath = join(dirname(path), 'config.json');
  const config = parseConfig(await readFile(configPath, 'utf8'));
  const weights = await readWeights(tf, path);
  const dims = weights.get('embeddings.word_embeddings.weight')?.shape[1] ?? null;
  return {
    ...{ device: 'cpu', passed_over: null, paths: [path, configPath], inputs },
    outputs: [{ name: 'sentence_embedding', type: 'float32', dims: [null, dims] }],
    run: async (tensors) => encode(tf, { config, weights }, tensors),
    release: async () => tf.dispose([...weights.values()]),
  };
}

function parseConfig(text: string): BertConfig {
  const parsed = configSchema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues;
  throw new Error(`config.json is not that of a BERT encoder that can be run: ${path.join('.')}: ${message}`);
}

/** Reads the tensors of a file one by one; matrices of linear layers are transposed for `matMul`. */
async function readWeights(tf: Tf, path: string): Promise<Weights> {
  await using file = await open(path, 'r');
  const weights = new Map<string, TfTensor>();
  for (const [name, stored] of await readSafetensorsHeader(file)) {
    if (stored.dtype !== 'F32') continue;
    const values = tf.tensor(await readFloats(file, stored), [...stored.shape], 'float32');
    weights.set(name, linearPattern.test(name) ? transposed(tf, values) : values);
  }
  return weights;
}

const linearPattern = /^encoder\..*\.(query|key|value|dense)\.weight$/;

function transposed(tf: Tf, matrix: TfTensor): TfTensor {
  const turned = tf.transpose(matrix);
  matrix.dispose();
  return turned;
}

async function readFloats(file: FileHandle, { from_byte, to_byte }: StoredTensor): Promise<Float32Array> {
  const bytes = new Uint8Array(to_byte - from_byte);
  await file.read(bytes, 0, bytes.length, from_byte);
  return new Float32Array(bytes.buffer);
}

interface Encoder {
  readonly config: BertConfig;
  readonly weights: Weights;
}

async function encode(tf: Tf, encoder: Encoder, { input_ids, attention_mask }: Tensors): Promise<Tensors> {
  const vectors = tf.tidy(() => {
    const [count, length] = input_ids.dims;
    const mask = tf.cast(tf.tensor(attention_mask.data as Int32Array, [count, length], 'int32'), 'float32');
    const hidden = new BertLayers(tf, encoder, mask).run(input_ids as Extract<Tensor, { type: 'int32' }>);
    return meanOfTokens(tf, hidden, mask);
  });
  try {
    const [count, dims] = vectors.shape;
    const data = (await vectors.data<'float32'>()).slice();
    return { sentence_embedding: { type: 'float32', dims: [count, dims], data } };
  } finally {
    vectors.dispose();
  }
}

/** Averages the hidden states of the tokens that are not padding, and scales the mean to length 1. */
function meanOfTokens(tf: Tf, hidden: TfTensor, mask: TfTensor): TfTensor {
  const weights = tf.expandDims(mask, 2);
  const mean = tf.div(tf.sum(tf.mul(hidden, weights), 1), tf.sum(weights, 1));
  return tf.div(mean, tf.sqrt(tf.sum(tf.square(mean), -1, true)));
}

/** The forward pass of BERT (Devlin et al., 2019) on a batch of token ids, within one `tf.tidy`. */
class BertLayers {
  readonly #tf: Tf;
  readonly #config: BertConfig;
  readonly #weights: Weights;
  readonly #count: number;
  readonly #length: number;
  /** Added to attention scores: 0 for tokens, a large negative number for padding. */
  readonly #paddingBias: TfTensor;

  constructor(tf: Tf, { config, weights }: Encoder, mask: TfTensor) {
    this.#tf = tf;
    this.#config = config;
    this.#weights = weights;
    [this.#count = 0, this.#length = 0] = mask.shape;
    this.#paddingBias = tf.mul(tf.sub(tf.reshape(mask, [this.#count, 1, 1, this.#length]), 1), 1e9);
  }

  /** Returns the last hidden states, of shape texts x tokens x dims. */
  run({ data }: Extract<Tensor, { type: 'int32' }>): TfTensor {
    let hidden = this.#embed(data);
    for (let layer = 0; layer < this.#config.num_hidden_layers; layer++)
      hidden = this.#layer(hidden, `encoder.layer.${layer}`);
    return this.#tf.reshape(hidden, [this.#count, this.#length, -1]);
  }

  #weight(name: string): TfTensor {
    const weight = this.#weights.get(name);
    if (weight === undefined) throw new Error(`the weights have no tensor ${name}`);
    return weight;
  }

  /** Returns the sum of word, position and type embeddings, of shape (texts · tokens) x dims. */
  #embed(ids: Int32Array): TfTensor {
    const tf = this.#tf;
    const [count, length] = [this.#count, this.#length];
    const table = this.#weight('embeddings.word_embeddings.weight');
    const positionTable = this.#weight('embeddings.position_embeddings.weight');
    if (length > positionTable.shape[0]) throw new Error(`texts may have ${positionTable.shape[0]} tokens`);
    const words = tf.reshape(tf.gather(table, tf.tensor1d(ids, 'int32')), [count, length, -1]);
    const positions = tf.slice(positionTable, [0, 0], [length, -1]);
    const type = tf.slice(this.#weight('embeddings.token_type_embeddings.weight'), [0, 0], [1, -1]);
    const sum = tf.reshape(tf.add(tf.add(words, positions), type), [count * length, -1]);
    return this.#normalise(sum, 'embeddings.LayerNorm');
  }

  #layer(hidden: TfTensor, name: string): TfTensor {
    const tf = this.#tf;
    const attended = this.#linear(
      this.#attend(hidden, `${name}.attention.self`),
      `${name}.attention.output.dense`,
    );
    const between = this.#normalise(tf.add(attended, hidden), `${name}.attention.output.LayerNorm`);
    const wide = this.#gelu(this.#linear(between, `${name}.intermediate.dense`));
    const narrow = this.#linear(wide, `${name}.output.dense`);
    return this.#normalise(tf.add(narrow, between), `${name}.output.LayerNorm`);
  }

  /** Scaled dot-product attention of all heads, of shape (texts · tokens) x dims. */
  #attend(hidden: TfTensor, name: string): TfTensor {
    const tf = this.#tf;
    const heads = this.#config.num_attention_heads;
    const size = hidden.shape[1]! / heads;
    const split = (part: string, order: number[]) => {
      const values = this.#linear(hidden, `${name}.${part}`);
      return tf.transpose(tf.reshape(values, [this.#count, this.#length, heads, size]), order);
    };
    const scores = tf.matMul(split('query', [0, 2, 1, 3]), split('key', [0, 2, 3, 1]));
    const shares = tf.softmax(tf.add(tf.mul(scores, 1 / Math.sqrt(size)), this.#paddingBias));
    const mixed = tf.transpose(tf.matMul(shares, split('value', [0, 2, 1, 3])), [0, 2, 1, 3]);
    return tf.reshape(mixed, [this.#count * this.#length, -1]);
  }

  #linear(values: TfTensor, name: string): TfTensor {
    const tf = this.#tf;
    return tf.add(tf.matMul(values, this.#weight(`${name}.weight`)), this.#weight(`${name}.bias`));
  }

  #normalise(values: TfTensor, name: string): TfTensor {
    const tf = this.#tf;
    const centred = tf.sub(values, tf.mean(values, -1, true));
    const variance = tf.mean(tf.square(centred), -1, true);
    const unit = tf.mul(centred, tf.rsqrt(tf.add(variance, this.#config.layer_norm_eps)));
    return tf.add(tf.mul(unit, this.#weight(`${name}.weight`)), this.#weight(`${name}.bias`));
  }

  #gelu(values: TfTensor): TfTensor {
    const tf = this.#tf;
    const share = tf.mul(tf.add(tf.erf(tf.mul(values, Math.SQRT1_2)), 1), 0.5);
    return tf.mul(values, share);
  }
}

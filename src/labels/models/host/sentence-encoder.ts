import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { AssayError } from '#core';
import type { SentenceContract, Tensor } from '../contract.ts';
import { installedRef } from '../model-refs.ts';
import type { ModelOption } from '../surface.ts';
import { listWeightFiles } from '../weights/weight-folders.ts';
import type { ModelClient, ModelSession } from './model-client.ts';

/** Maximum tokens of a batch, padding included: it takes about 0.3 s, and other requests wait for so long. */
const maxBatch_tokens = 256;

/** Computes the vectors of texts with a model of the surface `text_embedding`. */
export class SentenceEncoder {
  readonly model: string;
  readonly #session: ModelSession;
  readonly #tokenize: Tokenize;
  readonly #dims: number;

  /**
   * Opens an installed sentence model; throws `layer_unavailable` if its files are missing or cannot be used,
   * `unfinished` if it cannot be run now.
   */
  static async open(
    option: ModelOption,
    { data_folder, client }: { readonly data_folder: string; readonly client: ModelClient },
  ): Promise<SentenceEncoder> {
    const files = (await listWeightFiles(data_folder)).get(option.id) ?? new Set<string>();
    const ref = installedRef(data_folder, option, files);
    const { contract } = option;
    if (ref === null || contract?.form !== 'sentence')
      throw new AssayError('layer_unavailable', `${option.id} is not installed`, {
        advice: `run assay models pull ${option.id}`,
      });
    const session = await client.session(ref);
    const folder = dirname(Object.values(ref.graphs)[0]);
    const tokenize = await loadTokenizer(join(folder, 'tokenizer.json'), contract.max_tokens);
    return new SentenceEncoder(session, tokenize, contract);
  }

  private constructor(session: ModelSession, tokenize: Tokenize, { dims }: SentenceContract) {
    this.model = session.model;
    this.#session = session;
    this.#tokenize = tokenize;
    this.#dims = dims;
  }

  /**
   * Returns the vector of each text, of length 1, in the order of `texts`. The vector of a text is the same in any
   * batch but for rounding.
   *
   * @throws as `ModelSession.run`, and `layer_unavailable` if the model gives values that are no finite numbers.
   */
  async encode(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = Array.from({ length: texts.length });
    const tokenised = texts.map((text, at) => ({ at, ids: this.#tokenize(text) }));
    // Texts of similar length need little padding.
    tokenised.sort((one, other) => one.ids.length - other.ids.length);
    for (const batch of toBatches(tokenised)) {
      const { sentence_embedding } = await this.#session.run(toTensors(batch));
      const data = sentence_embedding.data as Float32Array;
      for (const [row, { at }] of batch.entries())
        vectors[at] = this.#checked(data.slice(row * this.#dims, (row + 1) * this.#dims));
    }
    return vectors;
  }

  #checked(vector: Float32Array): Float32Array {
    if (vector.length === this.#dims && vector.every(Number.isFinite)) return vector;
    throw new AssayError('layer_unavailable', `${this.model} gives values that are no numbers`, {
      advice: `run assay models verify ${this.model}`,
    });
  }
}

interface TokenisedText {
  /** Place in the list of texts. */
  readonly at: number;
  readonly ids: readonly number[];
}

/** Divides texts, sorted by length, into batches of at most `maxBatch_tokens`; a longer text is a batch of its own. */
function toBatches(texts: readonly TokenisedText[]): TokenisedText[][] {
  const batches: TokenisedText[][] = [];
  for (const text of texts) {
    const last = batches.at(-1);
    if (last !== undefined && (last.length + 1) * text.ids.length <= maxBatch_tokens) last.push(text);
    else batches.push([text]);
  }
  return batches;
}

function toTensors(batch: readonly TokenisedText[]): { input_ids: Tensor; attention_mask: Tensor } {
  const length = Math.max(...batch.map(({ ids }) => ids.length));
  const [ids, mask] = [new Int32Array(batch.length * length), new Int32Array(batch.length * length)];
  for (const [row, text] of batch.entries()) {
    ids.set(text.ids, row * length);
    mask.fill(1, row * length, row * length + text.ids.length);
  }
  const tensor = (data: Int32Array): Tensor => ({ type: 'int32', dims: [batch.length, length], data });
  return { input_ids: tensor(ids), attention_mask: tensor(mask) };
}

/** Converts a text to token ids, with those for its start and end. */
type Tokenize = (text: string) => readonly number[];

/**
 * Loads the tokenizer of a model from its `tokenizer.json`. Of a text with more than `max_tokens`, the first ones and the
 * end token are returned.
 * @throws `layer_unavailable` if the file cannot be read as a tokenizer.
 */
async function loadTokenizer(path: string, max_tokens: number): Promise<Tokenize> {
  try {
    const tokenizer = new Tokenizer(JSON.parse(await readFile(path, 'utf8')), {});
    return (text) => {
      // JavaScript lowers a capital sigma at the end of a word to another letter than the original tokenizer does.
      const { ids } = tokenizer.encode(text.replaceAll('Σ', 'σ'));
      return ids.length <= max_tokens ? ids : [...ids.slice(0, max_tokens - 1), ids[ids.length - 1]];
    };
  } catch (thrown) {
    throw new AssayError('layer_unavailable', `${path} cannot be read as a tokenizer`, {
      path,
      advice: 'run assay models verify to check the files of the model',
      cause: thrown,
    });
  }
}

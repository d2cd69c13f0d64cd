import { ModelClient, ModelHost, type ModelOption, SentenceEncoder } from '#labels/models';
import type { Store } from '#store';

/** Query vectors that are kept, since every page of a result needs that of its query. */
const maxQueries = 256;

/** Encoders of the texts of this process: its queries and the texts that it indexes. They share one model process. */
class TextEncoders {
  readonly #data_folder: string;
  readonly #host: ModelHost;
  readonly #client: ModelClient;
  readonly #encoders = new Map<string, Promise<SentenceEncoder>>();
  /** By model and text, least recently used first. */
  readonly #queries = new Map<string, string>();

  constructor({ data_folder, onnx_provider = 'auto' }: Store) {
    this.#data_folder = data_folder;
    this.#host = new ModelHost({ onnx_provider });
    this.#client = new ModelClient(this.#host.socket);
  }

  /** Returns the vector of each text, in the text format of pgvector. Throws as `SentenceEncoder`. */
  async encode(model: ModelOption, texts: readonly string[]): Promise<string[]> {
    const encoder = await this.#open(model);
    return (await encoder.encode(texts)).map(toVectorText);
  }

  /** Returns the vector of a query. Throws as `SentenceEncoder`. */
  async encodeQuery(model: ModelOption, text: string): Promise<string> {
    const key = `${model.id} ${text}`;
    const vector = this.#queries.get(key) ?? (await this.encode(model, [text]))[0];
    this.#queries.delete(key);
    this.#queries.set(key, vector);
    const [oldest] = this.#queries.keys();
    if (this.#queries.size > maxQueries) this.#queries.delete(oldest);
    return vector;
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#host.close();
  }

  #open(model: ModelOption): Promise<SentenceEncoder> {
    const opened = this.#encoders.get(model.id);
    if (opened !== undefined) return opened;
    const opening = SentenceEncoder.open(model, { data_folder: this.#data_folder, client: this.#client });
    this.#encoders.set(model.id, opening);
    opening.catch(() => this.#encoders.delete(model.id));
    return opening;
  }
}

const decimals = 6;

const toVectorText = (vector: Float32Array): string =>
  `[${Array.from(vector, (value) => value.toFixed(decimals)).join(',')}]`;

const encodersByDatabase = new WeakMap<object, TextEncoders>();

/** Returns the text encoders of an open store; the model process starts on first use. */
export function textEncoders(store: Store): TextEncoders {
  const encoders = encodersByDatabase.get(store.database) ?? new TextEncoders(store);
  encodersByDatabase.set(store.database, encoders);
  return encoders;
}

/** Ends the model process of a store's text encoders. Call it before the store is closed. */
export async function closeTextEncoders({ database }: Pick<Store, 'database'>): Promise<void> {
  const encoders = encodersByDatabase.get(database);
  encodersByDatabase.delete(database);
  await encoders?.close();
}

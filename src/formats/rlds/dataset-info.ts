import type { JsonObject, JsonValue } from '#core';
import type { SourceTree } from '#io/sources';
import { datasetInfoMessage, isObject, readProtoJson } from './proto-json.ts';

export const infoName = 'dataset_info.json';
export const featuresName = 'features.json';

/** Contents of dataset_info.json (tensorflow_datasets/core/proto/dataset_info.proto as JSON). */
export interface DatasetInfo {
  readonly name: string;
  readonly version: string | null;
  /** `tfrecord`, `array_record`, `riegeli`. */
  readonly file_format: string;
  readonly splits: readonly Split[];
  /** Why TFDS refuses the file; empty if it reads it. */
  readonly refused: readonly string[];
}

/** One split of a dataset and its shards. */
export interface Split {
  readonly name: string;
  /** Number of episodes in each shard. */
  readonly shard_lengths: readonly number[];
  /** Total bytes of all records without framing; `null` if not stated. */
  readonly bytes: number | null;
  readonly template: string;
}

const defaultTemplate = '{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}';
const maxShards = 1_000_000;

/**
 * Returns the contents of dataset_info.json; `null` if it is absent or not written by TFDS, since Hugging Face uses the
 * same name for another file.
 */
export async function readDatasetInfo(tree: SourceTree): Promise<DatasetInfo | null> {
  if (!tree.has(infoName)) return null;
  const { value, refused } = await readProtoJson(tree, infoName, datasetInfoMessage, { uniqueKeys: true });
  if (!isObject(value) || typeof value.name !== 'string' || !Array.isArray(value.splits)) return null;
  return {
    name: value.name,
    version: typeof value.version === 'string' ? value.version : null,
    file_format: typeof value.fileFormat === 'string' ? value.fileFormat : 'tfrecord',
    splits: value.splits.filter(isObject).flatMap(parseSplit),
    refused,
  };
}

function parseSplit(split: JsonObject): Split[] {
  if (typeof split.name !== 'string') return [];
  const lengths = Array.isArray(split.shardLengths) ? split.shardLengths : [];
  return [
    {
      name: split.name,
      shard_lengths: lengths.slice(0, maxShards).map((length) => toInteger(length) ?? 0),
      bytes: toInteger(split.numBytes),
      template: typeof split.filepathTemplate === 'string' ? split.filepathTemplate : defaultTemplate,
    },
  ];
}

/** Returns the file name of a shard by the template of its split; unknown placeholders stay as they are. */
export function shardName({ name, file_format }: DatasetInfo, split: Split, shard: number): string {
  const shards = split.shard_lengths.length;
  const pad = (value: number) => String(value).padStart(5, '0');
  const values: Readonly<Record<string, string>> = {
    DATASET: name,
    SPLIT: split.name,
    FILEFORMAT: file_format,
    SHARD_INDEX: pad(shard),
    NUM_SHARDS: pad(shards),
    SHARD_X_OF_Y: `${pad(shard)}-of-${pad(shards)}`,
  };
  return split.template.replace(/\{([A-Z_]+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}

/**
 * Returns a safe integer from a JSON number or text, since Proto-JSON writes 64-bit integers as text; `null` for
 * anything else.
 */
export function toInteger(value: JsonValue | undefined): number | null {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

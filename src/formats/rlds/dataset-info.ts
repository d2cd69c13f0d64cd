import { type JsonObject, type JsonValue, parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';

export const infoName = 'dataset_info.json';
export const featuresName = 'features.json';

/** What dataset_info.json says (tensorflow_datasets/core/proto/dataset_info.proto as JSON). */
export interface DatasetInfo {
  readonly name: string;
  readonly version: string | null;
  /** `tfrecord`, `array_record`, `riegeli`. */
  readonly file_format: string;
  readonly splits: readonly Split[];
}

export interface Split {
  readonly name: string;
  /** Episodes in each shard. */
  readonly shard_lengths: readonly number[];
  /** Bytes of all records without their framing; null where it is not said. */
  readonly bytes: number | null;
  readonly template: string;
}

const usualTemplate = '{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}';
const mostShards = 1_000_000;

/** Null where the file is somebody else's: Hugging Face calls one of its own the same. */
export async function readDatasetInfo(tree: SourceTree): Promise<DatasetInfo | null> {
  if (!tree.has(infoName)) return null;
  const { value } = parseTolerantJson(await tree.text(infoName, 16 * 1024 * 1024), infoName);
  if (!isObject(value) || typeof value.name !== 'string' || !Array.isArray(value.splits)) return null;
  return {
    name: value.name,
    version: typeof value.version === 'string' ? value.version : null,
    file_format: typeof value.fileFormat === 'string' ? value.fileFormat : 'tfrecord',
    splits: value.splits.filter(isObject).flatMap(splitOf),
  };
}

function splitOf(split: JsonObject): Split[] {
  if (typeof split.name !== 'string') return [];
  const lengths = Array.isArray(split.shardLengths) ? split.shardLengths : [];
  return [
    {
      name: split.name,
      shard_lengths: lengths.slice(0, mostShards).map((length) => integer(length) ?? 0),
      bytes: integer(split.numBytes),
      template: typeof split.filepathTemplate === 'string' ? split.filepathTemplate : usualTemplate,
    },
  ];
}

/** A shard's file by the template of its split. */
export function shardName({ name, file_format }: DatasetInfo, split: Split, shard: number): string {
  const shards = split.shard_lengths.length;
  const five = (value: number) => String(value).padStart(5, '0');
  const values: Readonly<Record<string, string>> = {
    DATASET: name,
    SPLIT: split.name,
    FILEFORMAT: file_format,
    SHARD_INDEX: five(shard),
    NUM_SHARDS: five(shards),
    SHARD_X_OF_Y: `${five(shard)}-of-${five(shards)}`,
  };
  return split.template.replace(/\{([A-Z_]+)\}/g, (whole, key: string) => values[key] ?? whole);
}

/** Proto-JSON writes 64-bit integers as text. */
export function integer(value: JsonValue | undefined): number | null {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

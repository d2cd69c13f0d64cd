import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A feature of an Example: numbers, texts or bytes. */
export type FeatureInput =
  | { readonly floats: readonly number[] }
  | { readonly ints: readonly number[] }
  | { readonly bytes: readonly (Uint8Array | string)[] };

/** CRC-32C bit by bit, so that the reader's tables are held against something else. */
export function plainCrc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0x82f63b78;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function masked(bytes: Uint8Array): Uint8Array {
  const crc = plainCrc32c(bytes);
  const out = Buffer.alloc(4);
  out.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
  return out;
}

/** One TFRecord with its two checksums. */
export function tfrecord(data: Uint8Array): Uint8Array {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(data.length));
  return Buffer.concat([length, masked(length), data, masked(data)]);
}

/** The bytes of a tf.train.Example. `packed` false: one field a value, as the first writers did it. */
export function example(features: Readonly<Record<string, FeatureInput>>, packed = true): Uint8Array {
  const entries = Object.entries(features).map(([key, value]) =>
    field(1, Buffer.concat([field(1, Buffer.from(key)), field(2, feature(value, packed))])),
  );
  return field(1, Buffer.concat(entries));
}

function feature(value: FeatureInput, packed: boolean): Uint8Array {
  if ('bytes' in value) return field(1, Buffer.concat(value.bytes.map((one) => field(1, Buffer.from(one)))));
  if ('floats' in value) {
    const raw = Buffer.from(Float32Array.from(value.floats).buffer);
    if (packed) return field(2, field(1, raw));
    return field(
      2,
      Buffer.concat(
        value.floats.map((_, i) => Buffer.concat([Buffer.from([0x0d]), raw.subarray(4 * i, 4 * i + 4)])),
      ),
    );
  }
  if (packed) return field(3, field(1, Buffer.concat(value.ints.map(varint))));
  return field(3, Buffer.concat(value.ints.map((one) => Buffer.concat([Buffer.from([0x08]), varint(one)]))));
}

function field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([number * 8 + 2]), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  out.push(Number(rest));
  return Buffer.from(out);
}

/** Flags of an episode that ends as RLDS says. */
export function flags(steps: number): Record<string, FeatureInput> {
  const only = (step: number) => ({ ints: Array.from({ length: steps }, (_, i) => (i === step ? 1 : 0)) });
  return {
    'steps/is_first': only(0),
    'steps/is_last': only(steps - 1),
    'steps/is_terminal': only(steps - 1),
  };
}

const tensor = (dims: readonly number[], dtype = 'float32', encoding = 'none') => ({
  tensor: { shape: dims.length === 0 ? {} : { dimensions: dims.map(String) }, dtype, encoding },
});

/** Nodes of a features.json. */
export const node = {
  tensor,
  text: { text: {} },
  image: (dims: readonly number[]) => ({
    image: { shape: { dimensions: dims.map(String) }, dtype: 'uint8', encodingFormat: 'png' },
  }),
  dict: (features: Readonly<Record<string, unknown>>) => ({ featuresDict: { features } }),
  sequence: (feature: unknown) => ({ sequence: { feature, length: '-1' } }),
};

/** features.json of episodes whose steps have these features besides the flags. */
export function featuresJson(
  steps: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>> = {},
): unknown {
  const bool = tensor([], 'bool');
  const all = { is_first: bool, is_last: bool, is_terminal: bool, ...steps };
  return node.dict({ steps: node.sequence(node.dict(all)), episode_metadata: node.dict(metadata) });
}

export interface RldsFiles {
  readonly name?: string;
  /** Shards of the split `train`: records of each. */
  readonly shards: readonly (readonly Uint8Array[])[];
  readonly features?: unknown;
  readonly info?: (info: Record<string, unknown>) => unknown;
  /** Replaces the bytes of a shard before it is written. */
  readonly edit?: (bytes: Buffer, shard: number) => Uint8Array;
}

/** Writes a set below a folder; answers that folder. */
export async function writeRlds(folder: string, set: RldsFiles): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [path, content] of Object.entries(rldsFiles(set))) await writeFile(join(folder, path), content);
  return folder;
}

/** The files of a set, by name. */
export function rldsFiles({
  name = 'made_up',
  shards,
  features,
  info,
  edit,
}: RldsFiles): Record<string, Uint8Array | string> {
  const files: Record<string, Uint8Array | string> = {};
  const five = (value: number) => String(value).padStart(5, '0');
  for (const [at, records] of shards.entries()) {
    const bytes = Buffer.concat(records.map(tfrecord));
    const file = `${name}-train.tfrecord-${five(at)}-of-${five(shards.length)}`;
    files[file] = edit?.(bytes, at) ?? bytes;
  }
  const payload = shards.flat().reduce((sum, record) => sum + record.length, 0);
  const split = {
    name: 'train',
    shardLengths: shards.map((records) => String(records.length)),
    numBytes: String(payload),
    filepathTemplate: '{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}',
  };
  const whole = { name, version: '0.1.0', fileFormat: 'tfrecord', splits: [split] };
  files['dataset_info.json'] = JSON.stringify(info === undefined ? whole : info(whole));
  if (features !== undefined) files['features.json'] = JSON.stringify(features);
  return files;
}

import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { messageOf } from '#core';

/** A tensor in a safetensors file. */
export interface StoredTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** First byte of its values, and the one after the last, counted from the start of the file. */
  readonly from_byte: number;
  readonly to_byte: number;
}

/** Bytes of the head that gives the length of the header. */
const head_bytes = 8;
/** Maximum length of a header, as in the reference implementation. */
const maxHeader_bytes = 100_000_000;

const sizeSchema = z.int().nonnegative();
const headerSchema = z.record(
  z.string(),
  z.object({
    dtype: z.string(),
    shape: z.array(sizeSchema),
    data_offsets: z.tuple([sizeSchema, sizeSchema]),
  }),
);

/**
 * Returns type, shape and byte range of the tensors of a safetensors file by name, from its header alone; throws an
 * `Error` with the reason if it is of another format or cut off.
 */
export async function readSafetensorsHeader(file: FileHandle): Promise<ReadonlyMap<string, StoredTensor>> {
  const { size } = await file.stat();
  const head = Buffer.alloc(head_bytes);
  const { bytesRead } = await file.read(head, 0, head_bytes, 0);
  const length = bytesRead < head_bytes ? 0 : Number(head.readBigUInt64LE());
  if (length < 2 || length > Math.min(maxHeader_bytes, size - head_bytes)) throw new Error(notSafetensors);
  const text = Buffer.alloc(length);
  await file.read(text, 0, length, head_bytes);
  const header = parseHeader(text.toString('utf8'));
  const first_byte = head_bytes + length;
  const tensors = new Map<string, StoredTensor>();
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(header)) {
    const [from_byte, to_byte] = data_offsets.map((offset) => first_byte + offset);
    if (to_byte < from_byte) throw new Error(notSafetensors);
    if (to_byte > size)
      throw new Error(`is cut off: it has ${size} bytes, and its content needs at least ${to_byte}`);
    tensors.set(name, { dtype, shape, from_byte, to_byte });
  }
  return tensors;
}

const notSafetensors = 'is not a safetensors file';

function parseHeader(text: string): z.output<typeof headerSchema> {
  try {
    const { __metadata__: _, ...tensors } = JSON.parse(text) as Record<string, unknown>;
    return headerSchema.parse(tensors);
  } catch (thrown) {
    throw new Error(notSafetensors, { cause: thrown });
  }
}

/**
 * Returns in words why a file is no complete safetensors file or cannot be read; `null` if its header and length are
 * valid.
 */
export async function safetensorsFault(path: string): Promise<string | null> {
  try {
    await using file = await open(path, 'r');
    await readSafetensorsHeader(file);
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

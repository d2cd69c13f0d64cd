import { crc32, inflateRawSync } from 'node:zlib';
import type { ReadableFile } from '#io/sources';
import type { ChunkStore } from './chunk-store.ts';
import { readAt, type ZipDirectory, type ZipMember } from './zip-directory.ts';

const localHeaderBytes = 30;
/** Room for the extra field of a local header, so that one read brings header and bytes. */
const usualExtra = 64;

/** A hierarchy in a zip; `prefix` is the folder in it that the zarr lies in, with `/` at its end or empty. */
export function zipStore(
  file: ReadableFile,
  path: string,
  { members }: ZipDirectory,
  prefix: string,
): ChunkStore {
  return {
    has: (key) => members.has(prefix + key),
    size: (key) => members.get(prefix + key)?.stored_bytes ?? 0,
    fileOf: () => path,
    get: async (key, mostBytes) => {
      const member = members.get(prefix + key);
      return member === undefined ? null : readMember(file, member, mostBytes);
    },
    *keysBelow(folder) {
      const start = `${prefix}${folder}/`;
      for (const name of members.keys()) if (name.startsWith(start)) yield name.slice(start.length);
    },
    close: () => file.close(),
  };
}

async function readMember(file: ReadableFile, member: ZipMember, mostBytes: number): Promise<Uint8Array> {
  const { header_offset, stored_bytes, plain_bytes, method } = member;
  if (member.encrypted) throw new RangeError('it is encrypted');
  if (method !== 0 && method !== 8) throw new RangeError(`it is packed by method ${method} of zip`);
  // A deflated member grows by a few bytes at worst.
  if (plain_bytes > mostBytes || stored_bytes > mostBytes + 1024 + mostBytes / 1000)
    throw new RangeError(`it has ${plain_bytes} bytes, at most ${mostBytes} belong`);
  const block = await readAt(file, header_offset, localHeaderBytes + usualExtra + 256 + stored_bytes);
  if (block.length < localHeaderBytes || block.readUInt32LE(0) !== 0x04034b50)
    throw new RangeError('it is not where the directory of the zip says');
  const start = localHeaderBytes + block.readUInt16LE(26) + block.readUInt16LE(28);
  const stored =
    start + stored_bytes <= block.length
      ? block.subarray(start, start + stored_bytes)
      : await readAt(file, header_offset + start, stored_bytes);
  const plain = method === 0 ? stored : inflateRawSync(stored, { maxOutputLength: Math.max(1, plain_bytes) });
  if (plain.length !== plain_bytes)
    throw new RangeError(`it has ${plain.length} bytes, the directory of the zip says ${plain_bytes}`);
  if (crc32(plain) !== member.crc32) throw new RangeError('it does not fit its checksum in the zip');
  return plain;
}

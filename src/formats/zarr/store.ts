import { crc32, inflateRawSync } from 'node:zlib';
import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { ReadableFile, SourceTree } from '#io/sources';
import {
  readAt,
  readZipDirectory,
  type ZipDirectory,
  type ZipMember,
} from '../shared/arrays/zip-directory.ts';

/** An opened replay buffer. */
export interface OpenStore {
  readonly store: ChunkStore;
  /** Path of the zip that contains it; `null` for a folder. */
  readonly zip: string | null;
  readonly findings: readonly Finding[];
}

/** Key that every replay buffer has; without it, episodes cannot be separated. */
const requiredKey = 'meta/episode_ends/.zarray';
/** Folder of the buffer in recordings of a real robot by diffusion_policy, beside its videos. */
export const realRobotPrefix = 'replay_buffer.zarr/';

/**
 * Opens the replay buffer of a folder, of the folder beside its videos, or of the only zip; throws
 * `unsupported_version` for zarr 3, `unreadable_input` if there is no replay buffer.
 */
export async function openStore(tree: SourceTree): Promise<OpenStore> {
  for (const prefix of ['', realRobotPrefix]) {
    if (tree.has(`${prefix}${requiredKey}`))
      return { store: folderStore(tree, prefix), zip: null, findings: [] };
    if (tree.has(`${prefix}zarr.json`)) throw version3Error(`${prefix}zarr.json`);
  }
  const zip = tree.files.find(({ path }) => path.toLowerCase().endsWith('.zip'));
  if (zip === undefined)
    throw new AssayError('unreadable_input', `${requiredKey} is missing`, {
      path: requiredKey,
      advice: 'copy the dataset again',
    });
  return openZip(tree, zip.path, zip.bytes);
}

async function openZip(tree: SourceTree, path: string, bytes: number): Promise<OpenStore> {
  const file = await tree.openFile(path);
  try {
    const directory = await readZipDirectory(file, bytes, path);
    const names = [...directory.members.keys()];
    const prefix = findPrefix(names, requiredKey);
    if (prefix === null && names.some((name) => name.endsWith('zarr.json'))) throw version3Error(path);
    if (prefix === null)
      throw new AssayError(
        'unreadable_input',
        `${path} has no ${requiredKey}, so it is not a replay buffer`,
        {
          path,
          advice: 'pass the zip that diffusion_policy or UMI wrote',
        },
      );
    return { store: zipStore(file, path, directory, prefix), zip: path, findings: directory.findings };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/**
 * Returns the shortest prefix, empty or ending in `/`, with which `end` is one of the names; `null` if there is none.
 */
export function findPrefix(names: readonly string[], end: string): string | null {
  const prefixes = names
    .filter((name) => name === end || name.endsWith(`/${end}`))
    .map((name) => name.slice(0, name.length - end.length));
  return prefixes.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? null;
}

function version3Error(path: string): AssayError {
  return new AssayError(
    'unsupported_version',
    `${path} has zarr version 3; replay buffers are supported only in version 2`,
    {
      path,
      advice: 'write it with zarr_format=2: diffusion_policy and UMI cannot read version 3 either',
    },
  );
}

const localHeaderBytes = 30;
/** Expected extra field of a local header, so that one read covers header and data. */
const expectedExtraBytes = 64;

/** Returns the store of a zarr in a zip; `prefix` is its folder in the zip, with `/` at its end or empty. */
function zipStore(file: ReadableFile, path: string, { members }: ZipDirectory, prefix: string): ChunkStore {
  return {
    has: (key) => members.has(prefix + key),
    size: (key) => members.get(prefix + key)?.stored_bytes ?? 0,
    fileOf: () => path,
    get: async (key, maxBytes) => {
      const member = members.get(prefix + key);
      return member === undefined ? null : readMember(file, member, maxBytes);
    },
    *keysBelow(folder) {
      const start = `${prefix}${folder}/`;
      for (const name of members.keys()) if (name.startsWith(start)) yield name.slice(start.length);
    },
    close: () => file.close(),
  };
}

async function readMember(file: ReadableFile, member: ZipMember, maxBytes: number): Promise<Uint8Array> {
  const { header_offset, stored_bytes, plain_bytes, method } = member;
  if (member.encrypted) throw new RangeError('the zip member is encrypted');
  if (method !== 0 && method !== 8) throw new RangeError(`unsupported zip compression method ${method}`);
  // Deflated data is at most slightly larger than plain data.
  if (plain_bytes > maxBytes || stored_bytes > maxBytes + 1024 + maxBytes / 1000)
    throw new RangeError(`${plain_bytes} bytes, more than the expected ${maxBytes}`);
  const block = await readAt(file, header_offset, localHeaderBytes + expectedExtraBytes + 256 + stored_bytes);
  if (block.length < localHeaderBytes || block.readUInt32LE(0) !== 0x04034b50)
    throw new RangeError('not found at the position given in the zip directory');
  const start = localHeaderBytes + block.readUInt16LE(26) + block.readUInt16LE(28);
  const stored =
    start + stored_bytes <= block.length
      ? block.subarray(start, start + stored_bytes)
      : await readAt(file, header_offset + start, stored_bytes);
  const plain = method === 0 ? stored : inflateRawSync(stored, { maxOutputLength: Math.max(1, plain_bytes) });
  if (plain.length !== plain_bytes)
    throw new RangeError(`${plain.length} bytes, but the zip directory declares ${plain_bytes}`);
  if (crc32(plain) !== member.crc32) throw new RangeError('checksum mismatch in the zip');
  return plain;
}

/** Files of a zarr hierarchy by key, in a folder or in a zip. */
export interface ChunkStore {
  /**
   * Reads the stored bytes of a key; `null` if it does not exist.
   * @throws RangeError if they are damaged or more than `maxBytes`
   */
  get(key: string, maxBytes: number): Promise<Uint8Array | null>;
  has(key: string): boolean;
  /** Returns the stored size of a key; 0 if it does not exist. */
  size(key: string): number;
  /** Returns the keys below a folder (given without a final `/`), relative to it. */
  keysBelow(folder: string): Iterable<string>;
  /** Returns the path of the file that contains a key. */
  fileOf(key: string): string;
  close(): Promise<void>;
}

/** Returns the store of a zarr in a folder; `prefix` ends with `/` or is empty. */
export function folderStore(tree: SourceTree, prefix: string): ChunkStore {
  const size = (key: string) => tree.entry(prefix + key)?.bytes ?? 0;
  return {
    has: (key) => tree.has(prefix + key),
    size,
    fileOf: (key) => prefix + key,
    get: async (key, maxBytes) => {
      if (!tree.has(prefix + key)) return null;
      if (size(key) > maxBytes)
        throw new RangeError(`${size(key)} bytes, more than the expected ${maxBytes}`);
      return tree.read(prefix + key, maxBytes);
    },
    keysBelow: (folder) => tree.subtree(`${prefix}${folder}`).files.map(({ path }) => path),
    close: async () => {},
  };
}

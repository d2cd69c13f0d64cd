import { crc32, inflateRawSync } from 'node:zlib';
import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { ReadableFile, SourceTree } from '#io/sources';
import { type ChunkStore, folderStore } from './chunk-store.ts';
import { readAt, readZipDirectory, type ZipDirectory, type ZipMember } from './zip-directory.ts';

/** A replay buffer ready to be read. */
export interface OpenStore {
  readonly store: ChunkStore;
  /** The zip it lies in; null for a folder. */
  readonly zip: string | null;
  readonly findings: readonly Finding[];
}

/** What tells a replay buffer: without it no episode can be told from the next. */
const mark = 'meta/episode_ends/.zarray';
/** The folder in which diffusion_policy keeps the buffer of a real robot, beside its videos. */
export const besideVideos = 'replay_buffer.zarr/';

/** Opens the buffer of a folder, of the folder beside its videos, or of the only zip. Throws `unsupported_version`. */
export async function openStore(tree: SourceTree): Promise<OpenStore> {
  for (const prefix of ['', besideVideos]) {
    if (tree.has(`${prefix}${mark}`)) return { store: folderStore(tree, prefix), zip: null, findings: [] };
    if (tree.has(`${prefix}zarr.json`)) throw version3(`${prefix}zarr.json`);
  }
  const zip = tree.files.find(({ path }) => path.toLowerCase().endsWith('.zip'));
  if (zip === undefined)
    throw new AssayError('unreadable_input', `there is no ${mark}`, {
      path: mark,
      advice: 'copy the set again',
    });
  return openZip(tree, zip.path, zip.bytes);
}

async function openZip(tree: SourceTree, path: string, bytes: number): Promise<OpenStore> {
  const file = await tree.openFile(path);
  try {
    const directory = await readZipDirectory(file, bytes, path);
    const names = [...directory.members.keys()];
    const prefix = prefixOf(names, mark);
    if (prefix === null && names.some((name) => name.endsWith('zarr.json'))) throw version3(path);
    if (prefix === null)
      throw new AssayError('unreadable_input', `${path} holds no ${mark}: no replay buffer`, {
        path,
        advice: 'pass the zip that diffusion_policy or UMI wrote',
      });
    return { store: zipStore(file, path, directory, prefix), zip: path, findings: directory.findings };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** The folder in a zip that a name ends in; the one nearest to the top. */
export function prefixOf(names: readonly string[], end: string): string | null {
  const prefixes = names
    .filter((name) => name === end || name.endsWith(`/${end}`))
    .map((name) => name.slice(0, name.length - end.length));
  return prefixes.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? null;
}

function version3(path: string): AssayError {
  return new AssayError(
    'unsupported_version',
    `${path} is of zarr version 3; replay buffers are read in version 2`,
    {
      path,
      advice: 'write it with zarr_format=2: diffusion_policy and UMI cannot read version 3 either',
    },
  );
}

const localHeaderBytes = 30;
/** Room for the extra field of a local header, so that one read brings header and bytes. */
const usualExtra = 64;

/** A hierarchy in a zip; `prefix` is the folder in it that the zarr lies in, with `/` at its end or empty. */
function zipStore(file: ReadableFile, path: string, { members }: ZipDirectory, prefix: string): ChunkStore {
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

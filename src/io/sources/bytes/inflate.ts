import { randomUUID } from 'node:crypto';
import { type FileHandle, open, statfs, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, limits, noteMachineFault, wrapReadError } from '#core';
import type { ReadableFile } from '../byte-store.ts';
import type { SourceTree } from '../source-tree.ts';
import { openByteSource } from './byte-source.ts';
import { withNamedErrors } from './readable-files.ts';

/** A compressed file that was decompressed into a local temporary file, with random access. */
export interface InflatedFile {
  /** The temporary file; it is deleted when it is closed. */
  readonly file: ReadableFile;
  readonly bytes: number;
  readonly sha256: string | null;
}

const spaceAdvice = 'decompress it first (zstd -d), or set TMPDIR to a larger disk';
const inflateBlockBytes = 1024 * 1024;
const maxInflatedBytes = limits.recordings.inflated_bytes.value;
/** Free disk space in bytes that decompression leaves untouched. */
const reservedDiskBytes = 512 * 1024 ** 2;

/**
 * Decompresses a zstd file into a temporary file that is already unlinked; throws `unfinished` if the disk has too
 * little space, `limit_exceeded` if the content exceeds the maximum.
 *
 * Nothing remains on disk however the process ends. `hashes`: also computes the SHA-256 of the stored file, else
 * `sha256` is `null`.
 */
export async function inflateFile(tree: SourceTree, path: string, hashes: boolean): Promise<InflatedFile> {
  const source = await openByteSource(tree, path, { compressed: true });
  try {
    const file = await openUnlinkedFile();
    try {
      const bytes = await copyContent(source, file, path);
      const sha256 = hashes ? await source.sha256() : null;
      return { file: withNamedErrors(file, path), bytes, sha256 };
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  } finally {
    await source.close();
  }
}

async function openUnlinkedFile(): Promise<FileHandle> {
  const name = join(tmpdir(), `assay-${randomUUID()}`);
  try {
    const file = await open(name, 'wx+', 0o600);
    await unlink(name);
    return file;
  } catch (thrown) {
    throw wrapReadError(thrown, name, 'set TMPDIR to a writable folder');
  }
}

async function copyContent(
  source: { read(into: Uint8Array): Promise<number> },
  file: FileHandle,
  path: string,
): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir());
  const room = Math.min(maxInflatedBytes, bavail * bsize - reservedDiskBytes);
  const block = new Uint8Array(inflateBlockBytes);
  for (let bytes = 0; ; ) {
    const count = await source.read(block);
    if (count === 0) return bytes;
    if (bytes + count > room) {
      throw bytes + count > maxInflatedBytes ? tooLargeError(path) : diskFullError(path, Math.max(0, room));
    }
    await writeAll(file, block.subarray(0, count), bytes).catch((thrown: unknown) => {
      throw wrapReadError(thrown, path, spaceAdvice);
    });
    bytes += count;
  }
}

const tooLargeError = (path: string): AssayError =>
  new AssayError('limit_exceeded', `${path} decompresses to more than ${maxInflatedBytes} bytes`, {
    path,
    advice: spaceAdvice,
  });

const diskFullError = (path: string, room: number): AssayError =>
  noteMachineFault(
    new AssayError('unfinished', `${path} decompresses to more than the ${room} bytes of free disk space`, {
      path,
      advice: spaceAdvice,
    }),
  );

/** Writes all bytes at a position; a nearly full disk may write fewer bytes per call than requested. */
async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

/**
 * Returns the first decompressed bytes of a zstd file, at most `length`; fewer if the content is shorter or the file is
 * damaged.
 */
export async function inflateHead(tree: SourceTree, path: string, length: number): Promise<Uint8Array> {
  const head = new Uint8Array(length);
  const source = await openByteSource(tree, path, { compressed: true });
  let filled = 0;
  try {
    while (filled < length) {
      const count = await source.read(head.subarray(filled));
      if (count === 0) break;
      filled += count;
    }
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
  } finally {
    await source.close();
  }
  return head.subarray(0, filled);
}

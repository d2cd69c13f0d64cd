import { randomUUID } from 'node:crypto';
import { type FileHandle, open, statfs, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError, asUnreadable, limits, noteMachineFault } from '#core';
import type { ReadableFile } from '../byte-store.ts';
import type { SourceTree } from '../source-tree.ts';
import { openByteSource } from './byte-source.ts';
import { withFaultsNamed } from './named-faults.ts';

/** A file that was compressed as a whole, inflated where any byte of it can be read. */
export interface InflatedFile {
  /** Gone once it is closed. */
  readonly file: ReadableFile;
  readonly bytes: number;
  /** Of the file as it is stored. */
  readonly sha256: string | null;
}

const moreRoom = 'inflate it beforehand (zstd -d), or set TMPDIR to a larger disk';
const blockBytes = 1024 * 1024;
const mostBytes = limits.recordings.inflated_bytes.value;
/** Disk that is left to others. */
const sparedBytes = 512 * 1024 ** 2;

/**
 * Inflates a zstd file into a temporary one, which has no name any more when this answers: nothing is left of it
 * however the process ends. Throws `unfinished` where the disk has no room for what comes out.
 */
export async function inflateFile(tree: SourceTree, path: string, hashes: boolean): Promise<InflatedFile> {
  const source = await openByteSource(tree, path, { compressed: true });
  try {
    const file = await openNameless();
    try {
      const bytes = await pour(source, file, path);
      const sha256 = hashes ? await source.sha256() : null;
      return { file: withFaultsNamed(file, path), bytes, sha256 };
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  } finally {
    await source.close();
  }
}

async function openNameless(): Promise<FileHandle> {
  const name = join(tmpdir(), `assay-${randomUUID()}`);
  try {
    const file = await open(name, 'wx+', 0o600);
    await unlink(name);
    return file;
  } catch (thrown) {
    throw asUnreadable(thrown, name, 'set TMPDIR to a folder that may be written to');
  }
}

async function pour(
  source: { read(into: Uint8Array): Promise<number> },
  file: FileHandle,
  path: string,
): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir());
  const room = Math.min(mostBytes, bavail * bsize - sparedBytes);
  const block = new Uint8Array(blockBytes);
  for (let bytes = 0; ; ) {
    const count = await source.read(block);
    if (count === 0) return bytes;
    if (bytes + count > room) {
      throw bytes + count > mostBytes ? tooLarge(path) : noRoom(path, Math.max(0, room));
    }
    await writeAll(file, block.subarray(0, count), bytes).catch((thrown: unknown) => {
      throw asUnreadable(thrown, path, moreRoom);
    });
    bytes += count;
  }
}

const tooLarge = (path: string): AssayError =>
  new AssayError('limit_exceeded', `${path} inflates to more than ${mostBytes} bytes`, {
    path,
    advice: moreRoom,
  });

const noRoom = (path: string, room: number): AssayError =>
  noteMachineFault(
    new AssayError('unfinished', `${path} inflates to more than the ${room} bytes there is room for`, {
      path,
      advice: moreRoom,
    }),
  );

/** A disk that is filling up may take less at a time than it is given. */
async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

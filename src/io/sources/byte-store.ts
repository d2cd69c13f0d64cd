import type { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { FileEntry } from './folder/walk.ts';

/** An open file with random access; Node's `FileHandle` implements it. */
export interface ReadableFile extends AsyncDisposable {
  /**
   * Reads up to `length` bytes from file position `position` into `into`, starting at index `offset` of `into`; fewer
   * at the end of the file.
   */
  read<Into extends Uint8Array>(
    into: Into,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number; readonly buffer: Into }>;
  close(): Promise<void>;
}

/** Local paths of files that stay valid until `release` is called. */
export interface LocalFiles {
  absolute(path: string): string;
  release(): Promise<void>;
}

/** Byte range of a file; `to` is exclusive. */
export type ByteRange = readonly [from: number, to: number];

/**
 * A local sparse copy of a file: full size, but only some byte ranges are filled in, everything else reads as zeros.
 * Valid until `release` is called.
 */
export interface PartialFile {
  /** Local folder below which the copy has the same relative path. */
  readonly root: string;
  /** Byte ranges that are filled in: ascending, with gaps between them. */
  parts(): readonly ByteRange[];
  /** Fills in these byte ranges, as far as they are not filled in yet. */
  fetch(parts: readonly ByteRange[]): Promise<void>;
  release(): Promise<void>;
}

/**
 * Storage of recording files with paths relative to its root: a local folder (`FolderFiles` in source-tree.ts), S3 or
 * HTTP (`RemoteRecordings`).
 */
export interface FileStorage {
  /** Name of the storage as the user would write it, for messages. */
  readonly label: string;
  /** Local folder below which acquired files have their own relative paths. */
  readonly root: string;
  /** Opens a file for reading by position; the caller closes it. */
  open(path: string): Promise<ReadableFile>;
  /** Reads a whole small file. `bytes` is its listed size. */
  read(path: string, bytes: number): Promise<Uint8Array>;
  /** Returns local paths of whole files, which a remote storage downloads first. */
  acquire(paths: readonly string[]): Promise<LocalFiles>;
  /**
   * Returns a local file of full size of which at least the last `length` bytes are filled in, for readers of footers.
   */
  acquireTail(path: string, length: number): Promise<LocalFiles>;
}

/**
 * Recordings in remote storage. Data that can be read piece by piece is read by byte ranges; files that libraries open
 * by name (Parquet, video, pictures) exist as local copies only while they are acquired.
 */
export interface ByteStore extends FileStorage {
  /** Lists every file in any order. `single` is true if the store is one file. */
  list(): Promise<{
    readonly files: readonly FileEntry[];
    readonly findings: readonly Finding[];
    readonly single: boolean;
  }>;
  /**
   * Returns a sparse local copy of a file; `null` if the file should be fetched whole (small, or its hash is unknown).
   */
  acquirePartial(path: string): Promise<PartialFile | null>;
  /** SHA-256 of a whole file in lower-case hexadecimal. */
  sha256(path: string): Promise<string>;
  /** Number of failures of the store itself, which say nothing about the recordings, and the last of them. */
  readonly faults: number;
  readonly last_fault: AssayError | null;
  /** Adds a user. The opener is the first user; each dataset opened from the store is another. */
  retain(): void;
  /** Removes a user; after the last one, connections and local copies are removed. */
  close(): Promise<void>;
}

/** Input of a reader: a local path, or a remote store. */
export type RecordingsSource = string | ByteStore;

/**
 * Returns a function that throws the last failure of the store if the store has failed since this call; it does nothing
 * for `null` (local recordings). Data read meanwhile may only look damaged.
 */
export function watchStore(store: ByteStore | null): () => void {
  const faultsBefore = store?.faults ?? 0;
  return () => {
    if (store !== null && store.faults > faultsBefore) throw store.last_fault;
  };
}

/** Returns the result of `work` with acquired files and releases them afterwards, also if it throws. */
export async function withLocalFiles<T>(
  acquiring: Promise<LocalFiles>,
  work: (files: LocalFiles) => Promise<T>,
): Promise<T> {
  const files = await acquiring;
  try {
    return await work(files);
  } finally {
    await files.release();
  }
}

/**
 * Yields the items of an iterable while files are acquired and releases them at the end, also if the consumer stops
 * early or an error is thrown.
 */
export async function* iterateWithLocalFiles<Item>(
  acquiring: Promise<LocalFiles>,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const files = await acquiring;
  try {
    yield* items;
  } finally {
    await files.release();
  }
}

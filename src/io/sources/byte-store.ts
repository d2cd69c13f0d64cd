import type { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { FileEntry } from './folder/file-entry.ts';

/** An open file, read at any position; Node's `FileHandle` is one. */
export interface ReadableFile extends AsyncDisposable {
  /** Fills `into` from `offset` with up to `length` bytes from `position` on. */
  read<Into extends Uint8Array>(
    into: Into,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number; readonly buffer: Into }>;
  close(): Promise<void>;
}

/** Files that are at hand by name until they are released. */
export interface HeldFiles {
  absolute(path: string): string;
  release(): Promise<void>;
}

/** Bytes of a file, from the first up to the second, which is not among them. */
export type FilePart = readonly [from: number, to: number];

/** A file of full size of which parts are there by name until it is released; the rest reads as zeros. */
export interface HeldPart {
  /** Local folder under which it stands under its own path. */
  readonly root: string;
  /** What is there now, ascending, not touching each other. */
  parts(): readonly FilePart[];
  fetch(parts: readonly FilePart[]): Promise<void>;
  release(): Promise<void>;
}

/**
 * Where files of recordings lie, with paths relative to it: a folder of this machine (`folder/folder-files.ts`), a store
 * elsewhere (`s3/s3-recordings.ts`).
 */
export interface FilePlace {
  /** As the user would name it, for messages. */
  readonly label: string;
  /** Local folder under which held files stand under their own paths. */
  readonly root: string;
  open(path: string): Promise<ReadableFile>;
  /** A whole small file, listed with so many bytes. */
  read(path: string, bytes: number): Promise<Uint8Array>;
  hold(paths: readonly string[]): Promise<HeldFiles>;
  /** A file of full size whose last `length` bytes are there, for who reads nothing else. */
  holdEnd(path: string, length: number): Promise<HeldFiles>;
}

/**
 * Recordings that do not lie on this machine. Whatever can be read piece by piece is read by ranges; what libraries
 * open by name (Parquet, video, pictures) is there as a local copy only while it is held.
 */
export interface ByteStore extends FilePlace {
  /** Every file, in any order; `single` where the store is one file. */
  list(): Promise<{
    readonly files: readonly FileEntry[];
    readonly findings: readonly Finding[];
    readonly single: boolean;
  }>;
  /** A file to be had in parts; null where it is better held whole. */
  holdPart(path: string): Promise<HeldPart | null>;
  /** SHA-256 of a whole file, lower-case hexadecimal. */
  sha256(path: string): Promise<string>;
  /** How often the store itself failed, which says nothing about the recordings; and how at last. */
  readonly faults: number;
  readonly last_fault: AssayError | null;
  /** One user more: whoever opened it is the first, each dataset opened from it another. */
  retain(): void;
  /** One user less; after the last nothing is left of it on this machine. */
  close(): Promise<void>;
}

/** What a reader is given: a path on this machine, or a store elsewhere. */
export type RecordingsSource = string | ByteStore;

/**
 * Answers a check that throws the store's fault if it had one since: what was read meanwhile may look damaged and is
 * not.
 */
export function watchStore(store: ByteStore | null): () => void {
  const before = store?.faults ?? 0;
  return () => {
    if (store !== null && store.faults > before) throw store.last_fault;
  };
}

/** Works while files are held; they are released however that ends. */
export async function withHeld<T>(
  holding: Promise<HeldFiles>,
  work: (held: HeldFiles) => Promise<T>,
): Promise<T> {
  const held = await holding;
  try {
    return await work(held);
  } finally {
    await held.release();
  }
}

/** Reads on while files are held; they are released however reading ends. */
export async function* whileHeld<Item>(
  holding: Promise<HeldFiles>,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const held = await holding;
  try {
    yield* items;
  } finally {
    await held.release();
  }
}

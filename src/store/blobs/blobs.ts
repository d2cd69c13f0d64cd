import type { Readable } from 'node:stream';
import { AssayError } from '#core';
import type { S3Connection } from '#io/sources/s3';

/** A listed blob. */
export interface BlobEntry {
  readonly key: string;
  readonly bytes: number;
  readonly written_at: Date;
}

/** Location of a folder of blobs: a local folder or an S3 prefix. */
export type BlobLocation =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly connection: S3Connection;
      readonly bucket: string;
      readonly prefix: string;
    };

/** Options to open a blob store, as plain JSON, so that worker threads can open the same store. */
export type BlobsOptions =
  | { readonly kind: 'folder'; readonly folder: string }
  | (S3Connection & {
      readonly kind: 's3';
      readonly bucket: string;
      readonly prefix: string;
      /** Local folder for copies of blobs that are opened by name. Default: in the temporary folder of the system. */
      readonly scratch_folder?: string;
    });

/** Timeouts of a blob store. */
export interface BlobTimeouts {
  /**
   * Maximum time in ms until the store begins to answer, after which requests throw `storage_unavailable`. Default:
   * retried as long as background work may wait.
   */
  readonly answer_ms?: number;
}

/**
 * A store of immutable blobs under keys such as `tnt_…/run_…/receipts-000004.json`. A key is written once, completely
 * or not at all, and no key is a folder of another key. All methods throw `storage_unavailable` if the store does not
 * answer or is full, and `not_found` for an absent key.
 */
export interface Blobs {
  /** Stores bytes under a key. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Stores a local file and deletes it. */
  putFile(key: string, path: string): Promise<void>;
  get(key: string): Promise<Uint8Array>;
  /** Reads `length` bytes from `offset`; fewer at the end of the blob. */
  range(key: string, offset: number, length: number): Promise<Uint8Array>;
  stream(key: string): Promise<Readable>;
  /**
   * Returns a local file with the content of a blob, for libraries that open files by name. `done` must be called; it
   * deletes a downloaded copy.
   */
  file(key: string): Promise<{ readonly path: string; done(): Promise<void> }>;
  /** Returns the location of the blobs whose keys start with `folder/`, for readers of recordings. */
  locate(folder: string): BlobLocation;
  /** Lists keys that start with `prefix`, ordered by their UTF-8 bytes. */
  list(prefix: string): AsyncIterable<BlobEntry>;
  /** Deletes keys; absent keys are ignored. */
  delete(keys: readonly string[]): Promise<void>;
  /** Throws if the store cannot be written or read now; for `readyz`. */
  probe(): Promise<void>;
  close(): void;
}

/** S3 allows 1,024 bytes; the rest is reserved for the prefix of the store. */
const maxKeyBytes = 900;
const maxNameBytes = 255;
/** Control characters, and the backslash, which is a separator on some systems. */
const invalidCharacters = /[\p{Cc}\\]/u;

/**
 * Throws `invalid_request` unless a key names exactly one object below the root of the store. Refused are absolute keys, `..`,
 * empty names, control characters, backslashes, keys that are longer than all stores allow, and keys in the staging folder.
 */
export function checkBlobKey(key: string): void {
  const wrong = describeInvalidKey(key);
  if (wrong === null) return;
  throw new AssayError(
    'invalid_request',
    `invalid blob key ${JSON.stringify(key.slice(0, 100))}: it ${wrong}`,
    {
      advice: 'use relative names separated by /, without .. and control characters',
    },
  );
}

function describeInvalidKey(key: string): string | null {
  if (Buffer.byteLength(key) > maxKeyBytes) return `is longer than ${maxKeyBytes} bytes`;
  if (invalidCharacters.test(key) || !key.isWellFormed()) return 'contains invalid characters';
  for (const name of key.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'contains an empty name, . or ..';
    if (Buffer.byteLength(name) > maxNameBytes) return `has a name longer than ${maxNameBytes} bytes`;
  }
  return key.startsWith(stagingFolder) ? `starts with ${stagingFolder}` : null;
}

/** Folder of a local store for files that are being written. */
export const stagingFolder = '.staging';

/** Compares keys for sorting by their UTF-8 bytes, the order in which S3 lists them. */
export function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

import type { Readable } from 'node:stream';
import type { S3Connection } from '#io/sources/s3';

export interface BlobEntry {
  readonly key: string;
  readonly bytes: number;
  readonly written_at: Date;
}

/** A folder of blobs, on this machine or in a bucket. */
export type BlobPlace =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly connection: S3Connection;
      readonly bucket: string;
      readonly prefix: string;
    };

/** Where blobs lie: plain JSON, so that a worker thread can open the same. */
export type BlobsOptions =
  | { readonly kind: 'folder'; readonly folder: string }
  | (S3Connection & {
      readonly kind: 's3';
      readonly bucket: string;
      readonly prefix: string;
      /** Local folder for blobs that are fetched to be opened by name. Absent: the system's temporary folder. */
      readonly scratch_folder?: string;
    });

/** How long those wait who use it. */
export interface BlobPatience {
  /** A store that has not begun to answer by then is `storage_unavailable`. Absent: tried for as long as work may wait. */
  readonly answer_ms?: number;
}

/**
 * Immutable bytes under keys such as `tnt_…/run_…/receipts-000004.json`: a key is written once, whole or not at all, and no
 * key is another's folder.
 * Every method throws `storage_unavailable` when the store does not answer or is full, `not_found` for an absent key.
 */
export interface Blobs {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Stores a local file and removes it. */
  putFile(key: string, path: string): Promise<void>;
  get(key: string): Promise<Uint8Array>;
  /** `length` bytes from `offset`; fewer at the blob's end. */
  range(key: string, offset: number, length: number): Promise<Uint8Array>;
  stream(key: string): Promise<Readable>;
  /** A local file with the blob's bytes, for libraries that open files by name; removed by `done` if it was fetched. */
  file(key: string): Promise<{ readonly path: string; done(): Promise<void> }>;
  /** Where the blobs whose keys start with `folder/` lie, for readers of recordings. */
  locate(folder: string): BlobPlace;
  /** Keys that start with `prefix`, in the order of their UTF-8 bytes. */
  list(prefix: string): AsyncIterable<BlobEntry>;
  /** Absent keys are no error. */
  delete(keys: readonly string[]): Promise<void>;
  /** Throws when nothing can be written or read now; for `readyz`. */
  probe(): Promise<void>;
  close(): void;
}

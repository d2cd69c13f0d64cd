import type { Readable } from 'node:stream';

/** Where blobs lie: plain JSON, so that a worker thread can open the same. */
export type BlobsOptions =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly prefix: string;
      readonly region: string;
      /** Absent: Amazon's own. */
      readonly endpoint?: string;
      readonly force_path_style: boolean;
      readonly access_key_id?: string;
      readonly secret_access_key?: string;
    };

/**
 * Immutable bytes under keys such as `tnt_…/run_…/receipts-000004.json`: a key is written once, whole or not at all.
 * Every method throws `storage_unavailable` when the store does not answer or is full, `not_found` for an absent key.
 */
export interface Blobs {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Stores a local file and removes it. */
  putFile(key: string, path: string): Promise<void>;
  get(key: string): Promise<Uint8Array>;
  /** `length` bytes from `offset`. */
  range(key: string, offset: number, length: number): Promise<Uint8Array>;
  stream(key: string): Promise<Readable>;
  /** A local file with the blob's bytes, for libraries that open files by name; removed by `done` if it was fetched. */
  file(key: string): Promise<{ readonly path: string; done(): Promise<void> }>;
  /** In the order of keys. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly bytes: number }>;
  delete(keys: readonly string[]): Promise<void>;
  /** Throws when nothing can be written or read now; for `readyz`. */
  probe(): Promise<void>;
  close(): void;
}

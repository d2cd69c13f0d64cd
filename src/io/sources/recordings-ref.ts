import type { S3Connection } from './s3/s3-client.ts';

/** Recordings as they can be opened: plain JSON, so that a worker thread can open the same. */
export type RecordingsRef =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly connection: S3Connection;
      readonly bucket: string;
      /** Ends with `/` unless it is empty or one object's whole key. */
      readonly prefix: string;
      /** Local folder for files that libraries open by name, shared by every process on it, and its bound. */
      readonly cache_folder: string;
      readonly cache_bytes: number;
    }
  | {
      readonly kind: 'web';
      /** As the user would name it, with the revision that was found. */
      readonly label: string;
      /** Ends with `/`; files lie below it. */
      readonly base: string;
      readonly access: WebAccess;
      /** File with what was listed, so that every thread reads the same state. */
      readonly listing_file: string;
      /** The server answers ranges; else files are fetched whole. */
      readonly ranges: boolean;
    };

/** How recordings are read over HTTP. It crosses threads within one process and is never written anywhere. */
export interface WebAccess {
  /** Sent to the hub alone, never to where it sends on to. */
  readonly token: string | null;
  /** Of the hub, without a slash at its end. */
  readonly endpoint: string;
  /** `http://` is used beyond this machine. */
  readonly plain_http: boolean;
  readonly cache_folder: string;
  readonly cache_bytes: number;
  /** Counts what all threads have read; see `Traffic`. */
  readonly traffic: SharedArrayBuffer;
}

/** From where this installation reads recordings. */
export interface SourceAccess {
  /** Folders that recordings may be read from, absolute. */
  readonly roots: readonly string[];
  /** Folders of the installation's own, which no source may reach: other tenants' files lie there. */
  readonly private_folders: readonly string[];
  /** `bucket` or `bucket/prefix`. */
  readonly buckets: readonly string[];
  readonly s3: S3Connection;
  readonly cache_folder: string;
  readonly cache_bytes: number;
  /** Largest file that may be uploaded. */
  readonly max_upload_bytes: number;
}

import type { S3Connection } from './s3/s3-client.ts';

/**
 * Reference from which recordings can be opened, as plain JSON, so that worker threads can open the same recordings.
 */
export type RecordingsRef =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly connection: S3Connection;
      readonly bucket: string;
      /** Ends with `/` unless it is empty or the key of a single object. */
      readonly prefix: string;
      /**
       * Local cache folder for files that libraries open by name, shared by all processes that use it, and its size
       * limit.
       */
      readonly cache_folder: string;
      readonly cache_bytes: number;
    }
  | {
      readonly kind: 'web';
      /** Name as the user would write it, with the resolved revision. */
      readonly label: string;
      readonly access: WebAccess;
      /** File with the listing (`WebListing`), so that all threads read the same state. */
      readonly listing_file: string;
    };

/** Settings for reading recordings over HTTP. Passed between threads of one process and never written to disk. */
export interface WebAccess {
  /** Access token; sent to the hub only, never to redirect targets. */
  readonly token: string | null;
  /** Base URL of the hub, without a trailing slash. */
  readonly endpoint: string;
  /** Allows unencrypted `http://` to other machines. Without effect if `networks` is set. */
  readonly plain_http: boolean;
  /**
   * Set in a service, whose users name the servers: only public addresses and these networks are connected to (see
   * `guardedFetch`). `null`: every address, as the user of a command decides.
   */
  readonly networks: readonly string[] | null;
  readonly cache_folder: string;
  readonly cache_bytes: number;
  /** Shared counters of all threads, see `Traffic`. */
  readonly traffic: SharedArrayBuffer;
}

/** Locations from which an installation may read recordings. */
export interface SourceAccess {
  /** Absolute paths of folders from which recordings may be read. */
  readonly roots: readonly string[];
  /** Folders of the installation that no source may use, because they contain files of other tenants. */
  readonly private_folders: readonly string[];
  /** `bucket` or `bucket/prefix`. */
  readonly buckets: readonly string[];
  readonly s3: S3Connection;
  readonly cache_folder: string;
  readonly cache_bytes: number;
  /** Largest file that may be uploaded. */
  readonly max_upload_bytes: number;
  readonly web: WebSourceAccess;
}

/** Addresses that a service may read for its tenants, and with which token. */
export interface WebSourceAccess {
  /** `all`: hub datasets and web servers; `hub`: hub datasets only. */
  readonly allows: 'all' | 'hub' | 'none';
  /** Networks that may be connected to in addition to public addresses, such as `10.20.0.0/16`. */
  readonly networks: readonly string[];
  /** Base URL of the hub, without a trailing slash. */
  readonly endpoint: string;
  /** Access token of the hub, used only for the tenants in `token_tenants`; null without one. */
  readonly token: string | null;
  readonly token_tenants: readonly string[];
  /** Maximum total size of the files at one address. */
  readonly max_bytes: number;
}

/** A file of a store elsewhere, in one state. */
export interface RemoteEntry {
  /** Below the place that was asked for. */
  readonly path: string;
  readonly bytes: number;
  /** Changes when the file is written anew. */
  readonly etag: string;
  /** In hexadecimal, where listing tells it: files that are fetched whole are held against it. */
  readonly sha256?: string | null;
}

/** What a store elsewhere must be able to do. Paths are below the place that was asked for. */
export interface RemoteObjects {
  /** As the user would name it, for messages. */
  readonly label: string;
  /** Tells its files from those of other stores in the cache. */
  readonly store_id: string;
  /** The place is this one file. */
  readonly lone: string | null;
  /** Whether it sends parts of files; else they are fetched whole, by `whole`. */
  readonly ranges: boolean;
  /** Whether video whose hash it knows is fetched only as far as it is looked at; else whole. */
  readonly parts_of_video: boolean;
  list(): AsyncIterable<RemoteEntry>;
  /** Throws `not_found`, `storage_unavailable`. */
  entry(path: string): Promise<RemoteEntry>;
  /** `length` bytes from `offset`, fewer at the end; of this state of the file only. `once`: who asks keeps them. */
  read(entry: RemoteEntry, offset: number, length: number, how?: 'once'): Promise<Uint8Array>;
  /** All bytes of the file in order. */
  whole(entry: RemoteEntry): AsyncIterable<Uint8Array>;
  /** SHA-256 of the file in hexadecimal where the store knows it. */
  sha256(entry: RemoteEntry): Promise<string | null>;
  close(): void;
}

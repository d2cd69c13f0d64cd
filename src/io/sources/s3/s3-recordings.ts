import { AssayError } from '#core';
import type { RecordingsRef } from '../recordings-ref.ts';
import type { RemoteEntry, RemoteObjects } from '../remote/remote-objects.ts';
import { RemoteRecordings } from '../remote/remote-recordings.ts';
import { createS3Client } from './s3-client.ts';
import { type S3Entry, S3Objects } from './s3-objects.ts';

type S3Ref = Extract<RecordingsRef, { kind: 's3' }>;

/**
 * Opens the recordings under an S3 prefix without listing them, or the single file if the prefix is the key of an
 * object; throws `storage_unavailable`. The caller must close it.
 */
export async function openS3Recordings(ref: S3Ref): Promise<RemoteRecordings> {
  const objects = new S3Objects(createS3Client(ref.connection), ref.bucket);
  const lone = ref.prefix !== '' && !ref.prefix.endsWith('/') && (await isObject(objects, ref.prefix));
  return RemoteRecordings.open(new S3Prefix(ref, objects, lone), ref);
}

/** The objects below an S3 prefix as files with relative paths. */
class S3Prefix implements RemoteObjects {
  readonly label: string;
  readonly store_id: string;
  readonly singleFile: string | null;
  readonly ranges = true;
  readonly parts_of_video = false;
  readonly #objects: S3Objects;
  readonly #prefix: string;

  constructor({ bucket, prefix }: S3Ref, objects: S3Objects, lone: boolean) {
    this.label = `s3://${bucket}/${prefix}`;
    this.store_id = bucket;
    this.#objects = objects;
    const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
    this.#prefix = lone ? prefix.slice(0, prefix.lastIndexOf('/') + 1) : folder;
    this.singleFile = lone ? prefix.slice(this.#prefix.length) : null;
  }

  async *list(): AsyncGenerator<RemoteEntry> {
    for await (const entry of this.#objects.list(this.#prefix)) yield this.#toRemoteEntry(entry);
  }

  async entry(path: string): Promise<RemoteEntry> {
    return this.#toRemoteEntry(await this.#objects.head(this.#prefix + path));
  }

  read({ path, etag }: RemoteEntry, offset: number, length: number): Promise<Uint8Array> {
    return this.#objects.read(this.#prefix + path, offset, length, etag);
  }

  async *readWhole(entry: RemoteEntry): AsyncGenerator<Uint8Array> {
    yield await this.read(entry, 0, entry.bytes);
  }

  async sha256({ path, etag }: RemoteEntry): Promise<string | null> {
    const head = await this.#objects.head(this.#prefix + path);
    return head.etag === etag ? head.sha256 : null;
  }

  close(): void {
    this.#objects.client.destroy();
  }

  #toRemoteEntry({ key, bytes, etag }: S3Entry): RemoteEntry {
    return { path: key.slice(this.#prefix.length), bytes, etag };
  }
}

async function isObject(objects: S3Objects, key: string): Promise<boolean> {
  try {
    await objects.head(key);
    return true;
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'not_found') return false;
    objects.client.destroy();
    throw thrown;
  }
}

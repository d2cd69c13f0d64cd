import { type FileHandle, open, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { limits } from '#core';
import {
  createS3Client,
  download,
  ObjectCache,
  quickRetry,
  S3Objects,
  s3Fault,
  stagingName,
} from '#io/sources/s3';
import {
  type BlobEntry,
  type BlobLocation,
  type Blobs,
  type BlobsOptions,
  type BlobTimeouts,
  checkBlobKey,
} from './blobs.ts';

/** Key written by `probe`, outside of every tenant. */
const probeKey = '.probe';
const probeTimeout_ms = 4000;
const deleteBatchSize = 1000;

type S3Options = Extract<BlobsOptions, { kind: 's3' }>;

/** Size limit in bytes of the cache for blobs that were opened by name. */
const cacheBytes = limits.storage.blob_cache_bytes.value;

/** Returns the local cache folder for blobs that were opened by name; it belongs to this user only. */
export function blobCacheFolder({ scratch_folder }: S3Options): string {
  return join(scratch_folder ?? join(tmpdir(), `assay-${process.getuid?.() ?? 0}`), 'fetched');
}

/** Blob store in an S3 bucket under a prefix. */
export class S3Blobs implements Blobs {
  readonly #options: S3Options;
  readonly #objects: S3Objects;
  readonly #prefix: string;
  readonly #cache: ObjectCache;
  #mirror: Promise<string> | null = null;

  constructor(options: S3Options, { answer_ms }: BlobTimeouts = {}) {
    this.#options = options;
    const client = answer_ms === undefined ? createS3Client(options) : createS3Client(options, quickRetry);
    this.#objects = new S3Objects(client, options.bucket, answer_ms);
    this.#cache = new ObjectCache(blobCacheFolder(options), cacheBytes);
    this.#prefix = options.prefix === '' ? '' : `${options.prefix.replace(/^\/+|\/+$/g, '')}/`;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const Key = this.#key(key);
    await this.#send(key, async (objects) => {
      await objects.checkReachable(Key);
      await objects.client.send(new PutObjectCommand({ Bucket: objects.bucket, Key, Body: bytes }));
    });
  }

  async putFile(key: string, path: string): Promise<void> {
    const whole = this.#key(key);
    await this.#send(key, async (objects) => {
      await objects.checkReachable(whole);
      await using file = await open(path, 'r');
      await uploadFile(objects, whole, file);
    });
    await unlink(path);
  }

  async get(key: string): Promise<Uint8Array> {
    return this.#objects.read(this.#key(key));
  }

  async range(key: string, offset: number, length: number): Promise<Uint8Array> {
    return this.#objects.read(this.#key(key), offset, length);
  }

  async stream(key: string): Promise<Readable> {
    return this.#objects.stream(this.#key(key));
  }

  async file(key: string): Promise<{ path: string; done(): Promise<void> }> {
    const whole = this.#key(key);
    const { etag, bytes } = await this.#objects.head(whole);
    this.#mirror ??= this.#cache.openMirror();
    const path = join(await this.#mirror, stagingName());
    const version = { store: this.#objects.bucket, path: whole, etag, bytes };
    await this.#cache.linkAt(version, path, (_, to) =>
      download(bytes, (offset, length) => this.#objects.read(whole, offset, length, etag), to),
    );
    return { path, done: () => rm(path, { force: true }) };
  }

  locate(folder: string): BlobLocation {
    const { kind, bucket, prefix, scratch_folder, ...connection } = this.#options;
    return { kind, bucket, prefix: `${this.#key(folder)}/`, connection };
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    for await (const entry of this.#objects.list(this.#prefix + prefix)) {
      const key = entry.key.slice(this.#prefix.length);
      const { bytes, written_at } = entry;
      if (key !== probeKey) yield { key, bytes, written_at };
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    const whole = keys.map((key) => ({ Key: this.#key(key) }));
    for (let at = 0; at < whole.length; at += deleteBatchSize) {
      await this.#send(null, async (objects) => {
        const Delete = { Objects: whole.slice(at, at + deleteBatchSize), Quiet: true };
        const command = new DeleteObjectsCommand({ Bucket: objects.bucket, Delete });
        const { Errors } = await objects.sendWithTimeout((options) => objects.client.send(command, options));
        const [first] = Errors ?? [];
        if (first !== undefined) throw new Error(`${first.Key}: ${first.Message}`);
      });
    }
  }

  async probe(): Promise<void> {
    const abortSignal = AbortSignal.timeout(probeTimeout_ms);
    await this.#send(null, async ({ client, bucket }) => {
      const command = new PutObjectCommand({ Bucket: bucket, Key: this.#prefix + probeKey, Body: 'probe' });
      await client.send(command, { abortSignal });
    });
  }

  close(): void {
    void this.#mirror?.then((mirror) => rm(mirror, { recursive: true, force: true })).catch(() => {});
    this.#objects.client.destroy();
  }

  #key(key: string): string {
    checkBlobKey(key);
    return this.#prefix + key;
  }

  async #send(key: string | null, work: (objects: S3Objects) => Promise<void>): Promise<void> {
    try {
      await work(this.#objects);
    } catch (thrown) {
      throw s3Fault(thrown, this.#objects.bucket, key);
    }
  }
}

const partBytes = 16 * 1024 * 1024;
/** S3 allows 10,000 parts per object. */
const maxParts = 9000;
const parallelParts = 3;

/** Uploads an open file, completely or not at all; large files in parts, three at a time. */
async function uploadFile({ client, bucket }: S3Objects, key: string, file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const target = { Bucket: bucket, Key: key };
  if (size <= partBytes) {
    await client.send(new PutObjectCommand({ ...target, Body: await readFully(file, 0, size) }));
    return;
  }
  const each = Math.max(partBytes, Math.ceil(size / maxParts));
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload = { ...target, UploadId };
  try {
    const parts: { PartNumber: number; ETag: string | undefined }[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at * each < size; at = next++) {
        const Body = await readFully(file, at * each, Math.min(each, size - at * each));
        const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber: at + 1, Body }));
        parts.push({ PartNumber: at + 1, ETag });
      }
    };
    await Promise.all(Array.from({ length: parallelParts }, work));
    parts.sort((a, b) => a.PartNumber - b.PartNumber);
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }));
  } catch (thrown) {
    // Parts of an incomplete upload cost money until it is aborted.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw thrown;
  }
}

async function readFully(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) throw new Error('the file was truncated while it was being stored');
    done += bytesRead;
  }
  return bytes;
}

import type { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { AssayError } from '#core';
import { s3Fault, s3Status } from './s3-client.ts';

/** A listed object of a bucket. */
export interface S3Entry {
  readonly key: string;
  readonly bytes: number;
  readonly written_at: Date;
  /** Version tag; changes when the object is rewritten. */
  readonly etag: string;
}

/** Attempts to read one body; the client retries requests, but not bodies that break off. */
const maxBodyAttempts = 4;

/** Reads the objects of one bucket by their full keys. */
export class S3Objects {
  readonly client: S3Client;
  readonly bucket: string;
  readonly #timeout_ms: number;

  /** `answer_ms`: maximum time until an answer begins. Default: no limit. */
  constructor(client: S3Client, bucket: string, answer_ms = Number.POSITIVE_INFINITY) {
    this.client = client;
    this.bucket = bucket;
    this.#timeout_ms = answer_ms;
  }

  /**
   * Sends a request that is aborted if no answer begins within `answer_ms`; the body may take longer. Not for large
   * uploads, which answer only at their end.
   */
  sendWithTimeout<T>(request: (options: SendOptions) => Promise<T>): Promise<T> {
    return withTimeout(this.#timeout_ms, request);
  }

  /**
   * Sends a small request and accepts any answer; throws if none comes within `answer_ms`, and does nothing if that is
   * unlimited. Called before large uploads, which cannot have such a limit.
   */
  async checkReachable(key: string): Promise<void> {
    if (this.#timeout_ms === Number.POSITIVE_INFINITY) return;
    const command = new HeadObjectCommand({ Bucket: this.bucket, Key: key });
    await this.sendWithTimeout((options) => this.client.send(command, options)).catch((thrown) => {
      if (s3Status(thrown) === null) throw thrown;
    });
  }

  /**
   * Reads an object, or `length` bytes from `offset`, fewer at its end; with `etag`, throws `unreadable_input` if the
   * object has changed since. Also throws `not_found` and `storage_unavailable`.
   */
  async read(key: string, offset = 0, length?: number, etag?: string): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    const range = length === undefined ? undefined : `bytes=${offset}-${offset + length - 1}`;
    const command = { Bucket: this.bucket, Key: key, Range: range, IfMatch: etag };
    const started = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.sendWithTimeout((options) =>
          this.client.send(new GetObjectCommand(command), options),
        );
        return await answer.Body!.transformToByteArray();
      } catch (thrown) {
        if (s3Status(thrown) === 416) return new Uint8Array(0);
        if (s3Status(thrown) === 412) throw changedError(key);
        const late = performance.now() - started > this.#timeout_ms;
        if (s3Status(thrown) !== null || attempt === maxBodyAttempts || late)
          throw s3Fault(thrown, this.bucket, key);
      }
    }
  }

  /** Opens an object for streaming; throws `not_found` or `storage_unavailable`. */
  async stream(key: string): Promise<Readable> {
    try {
      const command = new GetObjectCommand({ Bucket: this.bucket, Key: key });
      const answer = await this.sendWithTimeout((options) => this.client.send(command, options));
      return answer.Body as Readable;
    } catch (thrown) {
      throw s3Fault(thrown, this.bucket, key);
    }
  }

  /**
   * Returns the metadata of an object, with its SHA-256 in hexadecimal if it was stored with the object, else `null`;
   * throws `not_found` or `storage_unavailable`.
   */
  async head(key: string): Promise<S3Entry & { readonly sha256: string | null }> {
    try {
      const command = new HeadObjectCommand({ Bucket: this.bucket, Key: key, ChecksumMode: 'ENABLED' });
      const answer = await this.sendWithTimeout((options) => this.client.send(command, options));
      const { ContentLength = 0, LastModified = new Date(0), ETag = '', ChecksumSHA256: stored } = answer;
      // For a multipart upload the checksum is a hash of part hashes, marked with the number of parts.
      const whole = stored !== undefined && !stored.includes('-') && answer.ChecksumType !== 'COMPOSITE';
      const sha256 = whole ? Buffer.from(stored, 'base64').toString('hex') : null;
      return { key, bytes: ContentLength, written_at: LastModified, etag: ETag, sha256 };
    } catch (thrown) {
      throw s3Fault(thrown, this.bucket, key);
    }
  }

  /**
   * Yields the objects whose key starts with `prefix` in the order of keys, 1,000 per request; throws
   * `storage_unavailable`.
   */
  async *list(prefix: string): AsyncGenerator<S3Entry> {
    for (let token: string | undefined; ; ) {
      const input = { Bucket: this.bucket, Prefix: prefix, ContinuationToken: token };
      const page = await this.sendWithTimeout((options) =>
        this.client.send(new ListObjectsV2Command(input), options),
      ).catch((thrown) => {
        throw s3Fault(thrown, this.bucket);
      });
      for (const { Key: key, Size: bytes = 0, LastModified, ETag: etag = '' } of page.Contents ?? []) {
        if (key !== undefined) yield { key, bytes, written_at: LastModified ?? new Date(0), etag };
      }
      if (!page.IsTruncated) return;
      token = page.NextContinuationToken;
    }
  }
}

function changedError(key: string): AssayError {
  return new AssayError('unreadable_input', `${key} was changed while it was read`, {
    path: key,
    advice: 'wait until all recordings are uploaded, then read them again',
  });
}

/** Options that are passed to the client for one request. */
interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

/** Aborts a request whose answer has not begun within `answer_ms`. Reading the body is not limited. */
async function withTimeout<T>(answer_ms: number, request: (options: SendOptions) => Promise<T>): Promise<T> {
  if (answer_ms === Number.POSITIVE_INFINITY) return request({});
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answer_ms);
  try {
    return await request({ abortSignal: late.signal });
  } finally {
    clearTimeout(timer);
  }
}

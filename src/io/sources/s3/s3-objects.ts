import type { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { AssayError } from '#core';
import { s3Fault, s3Status } from './s3-fault.ts';

export interface S3Entry {
  readonly key: string;
  readonly bytes: number;
  readonly written_at: Date;
  /** Changes when the object is written anew. */
  readonly etag: string;
}

/** Tries of one body: the client tries requests again, but not bodies that break off. */
const bodyTries = 4;

/** Reads one bucket. Keys are the bucket's own, whole. */
export class S3Objects {
  readonly client: S3Client;
  readonly bucket: string;
  readonly #answer_ms: number;

  /** `answer_ms`: how long the beginning of an answer is waited for at most. */
  constructor(client: S3Client, bucket: string, answer_ms = Number.POSITIVE_INFINITY) {
    this.client = client;
    this.bucket = bucket;
    this.#answer_ms = answer_ms;
  }

  /** Asks for what answers at once, however much its body holds: not for storing what is large. */
  ask<T>(request: (options: AskOptions) => Promise<T>): Promise<T> {
    return inTime(this.#answer_ms, request);
  }

  /**
   * Asks for next to nothing, so that a server that takes requests and never answers is known in time, before it is sent
   * what may rightly take long. Any answer will do. Does nothing where answers are waited for without an end.
   */
  async expectAnswer(key: string): Promise<void> {
    if (this.#answer_ms === Number.POSITIVE_INFINITY) return;
    const command = new HeadObjectCommand({ Bucket: this.bucket, Key: key });
    await this.ask((options) => this.client.send(command, options)).catch((thrown) => {
      if (s3Status(thrown) === null) throw thrown;
    });
  }

  /**
   * The whole object, or `length` bytes from `offset`: fewer at its end. With `etag` throws `unreadable_input` where
   * the object is not in that state any more.
   */
  async read(key: string, offset = 0, length?: number, etag?: string): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    const range = length === undefined ? undefined : `bytes=${offset}-${offset + length - 1}`;
    const command = { Bucket: this.bucket, Key: key, Range: range, IfMatch: etag };
    const begun = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.ask((options) => this.client.send(new GetObjectCommand(command), options));
        return await answer.Body!.transformToByteArray();
      } catch (thrown) {
        if (s3Status(thrown) === 416) return new Uint8Array(0);
        if (s3Status(thrown) === 412) throw changed(key);
        const late = performance.now() - begun > this.#answer_ms;
        if (s3Status(thrown) !== null || attempt === bodyTries || late)
          throw s3Fault(thrown, this.bucket, key);
      }
    }
  }

  async stream(key: string): Promise<Readable> {
    try {
      const command = new GetObjectCommand({ Bucket: this.bucket, Key: key });
      const answer = await this.ask((options) => this.client.send(command, options));
      return answer.Body as Readable;
    } catch (thrown) {
      throw s3Fault(thrown, this.bucket, key);
    }
  }

  /** What is known of an object, and its SHA-256 in hexadecimal where whoever wrote it had that stored. */
  async head(key: string): Promise<S3Entry & { readonly sha256: string | null }> {
    try {
      const command = new HeadObjectCommand({ Bucket: this.bucket, Key: key, ChecksumMode: 'ENABLED' });
      const answer = await this.ask((options) => this.client.send(command, options));
      const { ContentLength = 0, LastModified = new Date(0), ETag = '', ChecksumSHA256: stored } = answer;
      // Of an object sent in parts it is a hash of hashes, marked with their number.
      const whole = stored !== undefined && !stored.includes('-') && answer.ChecksumType !== 'COMPOSITE';
      const sha256 = whole ? Buffer.from(stored, 'base64').toString('hex') : null;
      return { key, bytes: ContentLength, written_at: LastModified, etag: ETag, sha256 };
    } catch (thrown) {
      throw s3Fault(thrown, this.bucket, key);
    }
  }

  /** Objects whose key starts with `prefix`, in the order of keys, a thousand a request. */
  async *list(prefix: string): AsyncGenerator<S3Entry> {
    for (let token: string | undefined; ; ) {
      const asked = { Bucket: this.bucket, Prefix: prefix, ContinuationToken: token };
      const page = await this.ask((options) =>
        this.client.send(new ListObjectsV2Command(asked), options),
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

function changed(key: string): AssayError {
  return new AssayError('unreadable_input', `${key} was changed while it was read`, {
    path: key,
    advice: 'let the upload of recordings end, then read them again',
  });
}

/** What a request is sent with. */
interface AskOptions {
  readonly abortSignal?: AbortSignal;
}

/** Gives up a request whose answer has not begun in time; a body that comes afterwards may take as long as it takes. */
async function inTime<T>(answer_ms: number, request: (options: AskOptions) => Promise<T>): Promise<T> {
  if (answer_ms === Number.POSITIVE_INFINITY) return request({});
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answer_ms);
  try {
    return await request({ abortSignal: late.signal });
  } finally {
    clearTimeout(timer);
  }
}

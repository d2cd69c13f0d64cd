import type { Readable } from 'node:stream';
import { GetObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { s3Fault, s3Status } from './s3-fault.ts';

export interface S3Entry {
  readonly key: string;
  readonly bytes: number;
  readonly written_at: Date;
}

/** Tries of one body: the client tries requests again, but not bodies that break off. */
const bodyTries = 4;

/** Reads one bucket. Keys are the bucket's own, whole. */
export class S3Objects {
  readonly client: S3Client;
  readonly bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.client = client;
    this.bucket = bucket;
  }

  /** The whole object, or `length` bytes from `offset`: fewer at its end. */
  async read(key: string, offset = 0, length?: number): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    const range = length === undefined ? undefined : `bytes=${offset}-${offset + length - 1}`;
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.client.send(
          new GetObjectCommand({ Bucket: this.bucket, Key: key, Range: range }),
        );
        return await answer.Body!.transformToByteArray();
      } catch (thrown) {
        if (s3Status(thrown) === 416) return new Uint8Array(0);
        if (s3Status(thrown) !== null || attempt === bodyTries) throw s3Fault(thrown, this.bucket, key);
      }
    }
  }

  async stream(key: string): Promise<Readable> {
    try {
      const answer = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
      return answer.Body as Readable;
    } catch (thrown) {
      throw s3Fault(thrown, this.bucket, key);
    }
  }

  /** Objects whose key starts with `prefix`, in the order of keys, a thousand a request. */
  async *list(prefix: string): AsyncGenerator<S3Entry> {
    for (let token: string | undefined; ; ) {
      const page = await this.client
        .send(new ListObjectsV2Command({ Bucket: this.bucket, Prefix: prefix, ContinuationToken: token }))
        .catch((thrown) => {
          throw s3Fault(thrown, this.bucket);
        });
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key !== undefined) yield { key: Key, bytes: Size ?? 0, written_at: LastModified ?? new Date(0) };
      }
      if (!page.IsTruncated) return;
      token = page.NextContinuationToken;
    }
  }
}

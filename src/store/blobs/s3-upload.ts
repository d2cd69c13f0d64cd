import type { FileHandle } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { S3Objects } from '#io/sources/s3';

const partBytes = 16 * 1024 * 1024;
/** S3 takes 10,000 parts an object. */
const mostParts = 9000;
const partsAtOnce = 3;

/** Stores an open file under `key`, whole or not at all, in memory bounded by a few parts. */
export async function uploadFile(
  { client, bucket }: S3Objects,
  key: string,
  file: FileHandle,
): Promise<void> {
  const { size } = await file.stat();
  const target = { Bucket: bucket, Key: key };
  if (size <= partBytes) {
    await client.send(new PutObjectCommand({ ...target, Body: await bytesOf(file, 0, size) }));
    return;
  }
  const each = Math.max(partBytes, Math.ceil(size / mostParts));
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload = { ...target, UploadId };
  try {
    const parts: { PartNumber: number; ETag: string | undefined }[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at * each < size; at = next++) {
        const Body = await bytesOf(file, at * each, Math.min(each, size - at * each));
        const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber: at + 1, Body }));
        parts.push({ PartNumber: at + 1, ETag });
      }
    };
    await Promise.all(Array.from({ length: partsAtOnce }, work));
    parts.sort((a, b) => a.PartNumber - b.PartNumber);
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }));
  } catch (thrown) {
    // Parts of what never became an object cost money until they are given up.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw thrown;
  }
}

async function bytesOf(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) throw new Error('the file became shorter while it was stored');
    done += bytesRead;
  }
  return bytes;
}

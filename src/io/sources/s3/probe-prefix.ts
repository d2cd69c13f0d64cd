import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { createS3Client, type S3Connection } from './s3-client.ts';
import { s3Fault } from './s3-fault.ts';

/** Whether any key starts with the prefix. Throws `storage_unavailable`. */
export async function probePrefix(
  connection: S3Connection,
  bucket: string,
  prefix: string,
): Promise<boolean> {
  const client = createS3Client(connection);
  try {
    const { KeyCount } = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }),
    );
    return (KeyCount ?? 0) > 0;
  } catch (thrown) {
    throw s3Fault(thrown, bucket);
  } finally {
    client.destroy();
  }
}

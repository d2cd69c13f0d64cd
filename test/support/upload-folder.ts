import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { TestS3 } from './servers.ts';

const atOnce = 16;

/** Puts every file of a folder under a prefix, links followed; with `checksums` as a sender does who hashes first. */
export async function uploadFolder(
  { client }: TestS3,
  bucket: string,
  prefix: string,
  folder: string,
  checksums = false,
): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(realpathSync(join(folder, name))).isFile());
  for (let at = 0; at < files.length; at += atOnce) {
    await Promise.all(
      files.slice(at, at + atOnce).map((name) =>
        client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: `${prefix}${name.replaceAll('\\', '/')}`,
            Body: readFileSync(join(folder, name)),
            ...(checksums ? { ChecksumAlgorithm: 'SHA256' } : {}),
          }),
        ),
      ),
    );
  }
}

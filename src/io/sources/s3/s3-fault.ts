import { S3ServiceException } from '@aws-sdk/client-s3';
import { AssayError, messageOf } from '#core';

/** HTTP status of what a request threw; null when no answer came. */
export function s3Status(thrown: unknown): number | null {
  return thrown instanceof S3ServiceException ? (thrown.$metadata.httpStatusCode ?? null) : null;
}

/**
 * What a request threw in the project's words: `not_found` where `key` is absent, else `storage_unavailable`. The
 * server's own words stay in the cause: they may name hosts and keys.
 */
export function s3Fault(thrown: unknown, bucket: string, key: string | null = null): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const status = s3Status(thrown);
  const name = thrown instanceof Error ? thrown.name : '';
  if (status === 404 && name !== 'NoSuchBucket' && key !== null) {
    return new AssayError('not_found', `the bucket ${bucket} holds no ${key}`, { cause: thrown });
  }
  const [said, advice] = wordsFor(status, name, thrown);
  return new AssayError('storage_unavailable', `the bucket ${bucket} cannot be used: ${said}`, {
    advice,
    cause: thrown,
  });
}

function wordsFor(status: number | null, name: string, thrown: unknown): readonly [string, string] {
  if (status === 404) return ['there is no such bucket', 'make the bucket, or correct its name and region'];
  if (status === 403 || status === 401 || name === 'CredentialsProviderError')
    return ['access is denied', 'check the access key and that its policy allows this bucket'];
  if (status === 301 || status === 307) return ['it lies in another region', 'correct the region'];
  if (status === null)
    return [
      `no answer (${messageOf(thrown)})`,
      'check that the S3 server runs and that the network reaches it',
    ];
  return [`the server answered ${status} ${name}`, 'try again; if it stays, ask whoever runs the S3 server'];
}

import { ListObjectsV2Command, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { AssayError, messageOf } from '#core';

/** Connection to an S3 server, as plain JSON. Without access keys the SDK searches its usual places. */
export interface S3Connection {
  readonly region: string;
  /** Defaults to AWS. */
  readonly endpoint?: string;
  readonly force_path_style: boolean;
  readonly access_key_id?: string;
  readonly secret_access_key?: string;
}

/** Retry policy of a client. */
interface RetryPolicy {
  /** Attempts of one request, with waits that double. */
  readonly attempts: number;
  readonly connect_ms: number;
}

/** Default for background work: all waits together stay under 4 s. */
const defaultRetry: RetryPolicy = { attempts: 6, connect_ms: 4000 };
/** For requests that a user waits for: an unreachable server is reported within 3 s. */
export const quickRetry: RetryPolicy = { attempts: 3, connect_ms: 900 };

/** Creates an S3 client that retries transient errors (lost connections, 5xx, throttling) a limited number of times. */
export function createS3Client(connection: S3Connection, { attempts, connect_ms } = defaultRetry): S3Client {
  const { access_key_id, secret_access_key } = connection;
  return new S3Client({
    region: connection.region,
    forcePathStyle: connection.force_path_style,
    ...(connection.endpoint === undefined ? {} : { endpoint: connection.endpoint }),
    ...(access_key_id === undefined || secret_access_key === undefined
      ? {}
      : { credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key } }),
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connect_ms,
      requestTimeout: 30_000,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: 64, keepAlive: true },
      httpsAgent: { maxSockets: 64, keepAlive: true },
    },
    // Other servers than AWS may not support its newer checksums.
    ...(connection.endpoint === undefined ? {} : { requestChecksumCalculation: 'WHEN_REQUIRED' as const }),
    // Avoids a warning for every object without a stored checksum.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** Returns the HTTP status of a failed request; null if no answer came. */
export function s3Status(thrown: unknown): number | null {
  return thrown instanceof S3ServiceException ? (thrown.$metadata.httpStatusCode ?? null) : null;
}

/**
 * Returns the error of a request as AssayError: `not_found` if `key` is given and the object is missing, else
 * `storage_unavailable`; AssayErrors are returned unchanged. The message of the server is kept only as `cause`, since
 * it may contain host names and keys.
 */
export function s3Fault(thrown: unknown, bucket: string, key: string | null = null): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const status = s3Status(thrown);
  const name = thrown instanceof Error ? thrown.name : '';
  if (status === 404 && name !== 'NoSuchBucket' && key !== null) {
    return new AssayError('not_found', `the bucket ${bucket} has no object ${key}`, { cause: thrown });
  }
  const [reason, advice] = describeFault(status, name, thrown);
  return new AssayError('storage_unavailable', `cannot access the bucket ${bucket}: ${reason}`, {
    advice,
    cause: thrown,
  });
}

function describeFault(status: number | null, name: string, thrown: unknown): readonly [string, string] {
  if (status === 404) return ['bucket not found', 'create the bucket, or correct its name and region'];
  if (status === 403 || status === 401 || name === 'CredentialsProviderError')
    return ['access denied', 'check the access key and that its policy allows this bucket'];
  if (status === 301 || status === 307) return ['it is in another region', 'correct the region'];
  if (status === null)
    return [
      `no response (${messageOf(thrown)})`,
      'check that the S3 server is running and reachable from here',
    ];
  return [
    `the server returned ${status} ${name}`,
    'try again; if it fails again, ask the administrator of the S3 server',
  ];
}

/** True if any key of a bucket starts with the prefix; throws `storage_unavailable` if the bucket cannot be listed. */
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

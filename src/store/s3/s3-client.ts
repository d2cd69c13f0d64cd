import { S3Client } from '@aws-sdk/client-s3';

/** How an S3 server is reached: plain JSON. Keys that are absent come from where the SDK looks for them. */
export interface S3Connection {
  readonly region: string;
  /** Absent: Amazon's own. */
  readonly endpoint?: string;
  readonly force_path_style: boolean;
  readonly access_key_id?: string;
  readonly secret_access_key?: string;
}

/** Tries of one request; the waits between them double and stay under four seconds together. */
const attempts = 6;

/** A client that tries again what may pass by itself (lost connections, 5xx, throttling), a bounded number of times. */
export function createS3Client(connection: S3Connection): S3Client {
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
      connectionTimeout: 4000,
      requestTimeout: 30_000,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: 64, keepAlive: true },
      httpsAgent: { maxSockets: 64, keepAlive: true },
    },
    // Servers other than Amazon's may not know its newer checksums.
    ...(connection.endpoint === undefined ? {} : { requestChecksumCalculation: 'WHEN_REQUIRED' as const }),
    // Objects whose owner stored no checksum are no reason for a warning each.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

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

/** How long a client tries. */
interface Trying {
  /** Tries of one request; the waits between them double. */
  readonly attempts: number;
  readonly connect_ms: number;
}

/** For work: the waits between tries stay under four seconds together. */
const usual: Trying = { attempts: 6, connect_ms: 4000 };
/** For whoever is waited for by somebody: a server that cannot be reached is known within three seconds. */
export const hurried: Trying = { attempts: 3, connect_ms: 900 };

/** A client that tries again what may pass by itself (lost connections, 5xx, throttling), a bounded number of times. */
export function createS3Client(connection: S3Connection, { attempts, connect_ms } = usual): S3Client {
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
    // Servers other than Amazon's may not know its newer checksums.
    ...(connection.endpoint === undefined ? {} : { requestChecksumCalculation: 'WHEN_REQUIRED' as const }),
    // Objects whose owner stored no checksum are no reason for a warning each.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

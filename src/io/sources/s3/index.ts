/** Public API for S3, separate from `#io/sources`, so that reading local folders does not load the AWS SDK. */
export { clearCache, ObjectCache } from '../cache/object-cache.ts';
export { clearStaging, stagingName } from '../cache/staging.ts';
export { download } from '../remote/download.ts';
export { createS3Client, probePrefix, quickRetry, type S3Connection, s3Fault } from './s3-client.ts';
export { S3Objects } from './s3-objects.ts';
export { openS3Recordings } from './s3-recordings.ts';

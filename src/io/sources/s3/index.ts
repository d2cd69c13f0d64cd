/** A door of its own: who reads a folder does not load the client of S3. */
export { clearCache, ObjectCache } from '../cache/object-cache.ts';
export { clearStaging, stagingName } from '../cache/staging.ts';
export { download } from '../remote/download.ts';
export { probePrefix } from './probe-prefix.ts';
export { createS3Client, hurried, type S3Connection } from './s3-client.ts';
export { s3Fault } from './s3-fault.ts';
export { S3Objects } from './s3-objects.ts';
export { openS3Recordings } from './s3-recordings.ts';

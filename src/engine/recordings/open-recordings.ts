import type { RecordingsRef, RecordingsSource } from '#io/sources';

/** What is assessed: a path, or where a service's source lies. Plain data: it crosses threads. */
export type Recordings = string | RecordingsRef;

/** Opens recordings for readers; `closeRecordings` when done with it. Throws `storage_unavailable`. */
export async function openRecordings(recordings: Recordings): Promise<RecordingsSource> {
  if (typeof recordings === 'string') return recordings;
  if (recordings.kind === 'folder') return recordings.path;
  if (recordings.kind === 'web') {
    const { openWebRecordings } = await import('#io/sources/web');
    return openWebRecordings(recordings);
  }
  // The client of S3 is loaded only where it is needed: commands on folders start faster.
  const { openS3Recordings } = await import('#io/sources/s3');
  return openS3Recordings(recordings);
}

/** Datasets that were opened from it stay open. */
export async function closeRecordings(source: RecordingsSource): Promise<void> {
  if (typeof source !== 'string') await source.close();
}

import { AssayError } from '#kernel';
import type { RecordingsRef } from '#store';

/** What readers are asked to open. */
export function openPath(recordings: RecordingsRef): string {
  if (recordings.kind === 'folder') return recordings.path;
  throw new AssayError('not_ready', 'recordings in a bucket cannot be read yet', {
    advice: 'name a folder, or upload the recordings',
  });
}

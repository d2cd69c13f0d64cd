import type { KeptPicture } from '#core/episode';
import { reopen } from '#formats';
import { closeRecordings, openRecordings } from '../../recordings/open-recordings.ts';
import type { PicturesTask } from './reader-tasks.ts';

/** Opens the recording again for one picture; none where it is not there any more. */
export async function readPictures({
  recordings,
  recognised,
  wanted,
}: PicturesTask): Promise<readonly KeptPicture[]> {
  const source = await openRecordings(recordings);
  try {
    const dataset = await reopen(source, recognised);
    try {
      return (await dataset.picturesAt?.(wanted)) ?? [];
    } finally {
      await dataset.close();
    }
  } finally {
    await closeRecordings(source);
  }
}

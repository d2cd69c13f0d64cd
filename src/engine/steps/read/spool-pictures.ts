import { open } from 'node:fs/promises';
import { AssayError, limits } from '#core';
import { picturesOf, reopen, type StreamedPicture } from '#formats';
import type { SpooledPicture } from '#io/media';
import { closeRecordings, openRecordings } from '../../recordings/open-recordings.ts';
import type { SpoolTask } from './reader-tasks.ts';

const most_bytes = limits.recordings.film_spool_bytes.value;
const most_MiB = Math.floor(most_bytes / 2 ** 20);

/**
 * Reads pictures out of a recording into a file: those of the rows, and of video those before them that decoding the
 * first takes. Throws `limit_exceeded` for more bytes than a film may be made of.
 */
export async function spoolPictures(task: SpoolTask): Promise<readonly SpooledPicture[]> {
  const source = await openRecordings(task.recordings);
  try {
    const dataset = await reopen(source, task.recognised);
    try {
      return await spool(picturesOf(dataset, task.wanted), task);
    } finally {
      await dataset.close();
    }
  } finally {
    await closeRecordings(source);
  }
}

/** Writes pictures of a stream into a file, as `spoolPictures` does. */
export async function spool(
  pictures: AsyncIterable<StreamedPicture>,
  { rows: [first, last], time_s, target }: Pick<SpoolTask, 'rows' | 'time_s' | 'target'>,
): Promise<SpooledPicture[]> {
  const file = await open(target, 'w', 0o600);
  let [spooled, offset]: [SpooledPicture[], number] = [[], 0];
  try {
    for await (const { index, key, bytes, layout } of pictures) {
      if (index > last) break;
      // Everything before the key frame that the first row is decoded from is written over.
      if (index <= first && key) [spooled, offset] = [[], 0];
      if (offset + bytes.length > most_bytes) throw tooMuch();
      await file.write(bytes, 0, bytes.length, offset);
      const place = { index, time_s: time_s[index], key, offset, bytes: bytes.length };
      spooled.push(layout === undefined ? place : { ...place, layout });
      offset += bytes.length;
    }
    return spooled;
  } finally {
    await file.close();
  }
}

const tooMuch = (): AssayError =>
  new AssayError('limit_exceeded', `the pictures are more than ${most_MiB} MiB together`, {
    advice: 'ask for a part of the episode with from_s and until_s',
  });

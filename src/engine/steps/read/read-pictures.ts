import { open } from 'node:fs/promises';
import { AssayError, limits } from '#core';
import type { SampledPicture } from '#core/episode';
import { readPictureStream, reopen, type StreamedPicture } from '#formats';
import type { SpooledPicture } from '#io/media';
import { closeRecordings, openRecordings } from '../../open-recordings.ts';
import type { PicturesTask, SpoolTask } from './reader-threads.ts';

/** Reads one embedded picture, with those needed to decode it; empty if it is missing. */
export async function readPictures({
  recordings,
  recognised,
  wanted,
}: PicturesTask): Promise<readonly SampledPicture[]> {
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

const maxSpool_bytes = limits.recordings.film_spool_bytes.value;
const maxSpool_MiB = Math.floor(maxSpool_bytes / 2 ** 20);

/**
 * Writes the embedded pictures of the given rows into a file and returns their extents; for video also those needed to decode
 * the first. Throws `limit_exceeded` above the size limit of a film.
 */
export async function spoolPictures(task: SpoolTask): Promise<readonly SpooledPicture[]> {
  const source = await openRecordings(task.recordings);
  try {
    const dataset = await reopen(source, task.recognised);
    try {
      return await spoolToFile(readPictureStream(dataset, task.wanted), task);
    } finally {
      await dataset.close();
    }
  } finally {
    await closeRecordings(source);
  }
}

/**
 * Writes the pictures of a range of rows of a stream into the file `target`, as `spoolPictures` does, and returns their
 * extents. Throws if they exceed the limit of a spool file.
 */
export async function spoolToFile(
  pictures: AsyncIterable<StreamedPicture>,
  { rows: [first, last], time_s, target }: Pick<SpoolTask, 'rows' | 'time_s' | 'target'>,
): Promise<SpooledPicture[]> {
  const file = await open(target, 'w', 0o600);
  let [spooled, offset]: [SpooledPicture[], number] = [[], 0];
  try {
    for await (const { index, key, bytes, layout } of pictures) {
      if (index > last) break;
      // Restart at each key frame up to the first row: earlier pictures are overwritten.
      if (index <= first && key) [spooled, offset] = [[], 0];
      if (offset + bytes.length > maxSpool_bytes) throw spoolLimitError();
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

const spoolLimitError = (): AssayError =>
  new AssayError('limit_exceeded', `the images exceed ${maxSpool_MiB} MiB in total`, {
    advice: 'request a part of the episode with from_s and until_s',
  });

import { AssayError } from '#core';
import { type PictureEncoding, pictureFormat } from '#core/episode';
import type { RgbFrame } from '#io/video';
import type { ExportEpisode } from '../set/export-episode.ts';
import { encodePicture, type PictureFile } from './encode-picture.ts';

const asFile: Readonly<Partial<Record<PictureEncoding, PictureFile['extension']>>> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
};
const byFormat = { JPEG: 'jpg', PNG: 'png', WebP: 'webp' } as const;

/**
 * A picture file for each row of an episode, in order; null where the row has no picture. Files are the recording's own
 * bytes where it holds JPEG, PNG or WebP; video becomes JPEG and raw pixels PNG.
 */
export async function* pictureRows(
  episode: ExportEpisode,
  stream: string,
  places: Int32Array = episode.shown(stream),
): AsyncGenerator<PictureFile | null> {
  const { coding } = episode.pictures(stream);
  if (asFile[coding as PictureEncoding] !== undefined) return yield* recordedRows(episode, stream, places);
  let of: RgbFrame | null = null;
  let file: PictureFile | null = null;
  for await (const frame of episode.decodedRows(stream, places)) {
    if (frame !== of)
      file = frame === null ? null : await encodePicture(frame, coding === 'raw' ? 'png' : 'jpg');
    of = frame;
    yield file;
  }
}

async function* recordedRows(
  episode: ExportEpisode,
  stream: string,
  places: Int32Array,
): AsyncGenerator<PictureFile | null> {
  const pictures = episode.pictures(stream).recorded()[Symbol.asyncIterator]();
  let at = -1;
  let file: PictureFile | null = null;
  try {
    for (const place of places) {
      while (at < place) {
        const { value, done } = await pictures.next();
        if (done === true) throw unread(episode, stream, place);
        at = value.index;
        file = at === place ? pictureFile(value.bytes, `picture ${place} of ${stream}`) : null;
      }
      if (place >= 0 && at !== place) throw unread(episode, stream, place);
      yield place < 0 ? null : file;
    }
  } finally {
    await pictures.return?.();
  }
}

function pictureFile(bytes: Uint8Array, what: string): PictureFile {
  const format = pictureFormat(bytes);
  if (format === 'JPEG' || format === 'PNG' || format === 'WebP')
    return { bytes, extension: byFormat[format] };
  throw new AssayError(
    'unreadable_input',
    `${what} is no picture: its first bytes are those of no JPEG, PNG or WebP`,
    {
      advice: 'leave the episode out with --without',
    },
  );
}

function unread({ episode }: ExportEpisode, stream: string, place: number): AssayError {
  return new AssayError(
    'unreadable_input',
    `${episode.id}: picture ${place} of ${stream} is not where it was`,
    {
      advice: 'restore the recording from its source, or leave the episode out with --without',
    },
  );
}

import { closeSync, openSync, readSync } from 'node:fs';
import type { KeptPicture, PictureEncoding } from '#core/episode';
import type { PictureSpool, SpooledPicture } from '../../film.ts';

const videoEncodings: ReadonlySet<PictureEncoding> = new Set(['h264', 'h265', 'av1', 'vp9']);

/** Reads a spool some pictures at a time: one, or of video from one key frame up to the next. */
export function* pictureGroups(
  { path, pictures }: PictureSpool,
  encoding: PictureEncoding,
): Generator<KeptPicture[]> {
  const isVideo = videoEncodings.has(encoding);
  const file = openSync(path, 'r');
  try {
    let group: KeptPicture[] = [];
    for (const picture of pictures) {
      if (group.length > 0 && (!isVideo || picture.key)) {
        yield group;
        group = [];
      }
      group.push(read(file, picture));
    }
    if (group.length > 0) yield group;
  } finally {
    closeSync(file);
  }
}

function read(file: number, { index, time_s, offset, bytes, layout }: SpooledPicture): KeptPicture {
  const data = Buffer.alloc(bytes);
  readSync(file, data, 0, bytes, offset);
  const picture = { index, time_s, bytes: data };
  return layout === undefined ? picture : { ...picture, layout };
}

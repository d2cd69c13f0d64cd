import { pictureFormat } from '#core/episode';
import { notMedia } from '../not-media.ts';
import type { LumaScale } from './decode-picture.ts';
import { decodePicture, decoderOf, NotPicture, type ReadPicture } from './decode-picture.ts';

/**
 * Decodes a picture file whose bytes were read. Formats that sharp does not read and FFmpeg does (BMP, PNM) go
 * through FFmpeg, which is loaded only then, and can be shown at most `width` px wide. Throws NotPicture.
 */
export async function decodePictureFile(
  path: string,
  bytes: Uint8Array,
  scale: LumaScale,
  width?: number,
): Promise<ReadPicture> {
  const format = pictureFormat(bytes);
  const what = format === null ? notMedia(bytes) : null;
  if (what !== null) throw new NotPicture(what);
  if (format !== null && decoderOf(format) === 'ffmpeg') {
    const { decodeStill } = await import('../video/decode-still.ts');
    return decodeStill(path, width);
  }
  return { picture: await decodePicture(bytes, scale), source: { type: 'file', bytes } };
}

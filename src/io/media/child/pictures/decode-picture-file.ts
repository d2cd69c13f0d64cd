import { pictureFormat } from '#core/episode';
import { describeNonMedia } from '../media-files.ts';
import {
  type DecodedPicture,
  decodePicture,
  decoderFor,
  type LumaScale,
  PictureError,
} from './decode-picture.ts';

/**
 * Decodes a picture file from its bytes to luma and a source for rendering; throws PictureError. Formats that only
 * FFmpeg reads (BMP, PNM) are decoded by it from `path`; it is loaded only then, and their source is at most `width` px
 * wide.
 */
export async function decodePictureFile(
  path: string,
  bytes: Uint8Array,
  scale: LumaScale,
  width?: number,
): Promise<DecodedPicture> {
  const format = pictureFormat(bytes);
  const what = format === null ? describeNonMedia(bytes) : null;
  if (what !== null) throw new PictureError(what);
  if (format !== null && decoderFor(format) === 'ffmpeg') {
    const { decodeStill } = await import('../video/decode-still.ts');
    return decodeStill(path, width);
  }
  return { picture: await decodePicture(bytes, scale), source: { type: 'file', bytes } };
}

import { AssayError } from '#core';
import type { RgbFrame } from '#io/video';

/** A picture as the bytes of a file. */
export interface PictureFile {
  readonly bytes: Uint8Array;
  readonly extension: 'jpg' | 'png' | 'webp';
}

/** Of pictures that were decoded from video, which has lost more before. */
const jpegQuality = 95;

/** A decoded picture as a file: JPEG in full colour resolution, or PNG, which loses nothing. */
export async function encodePicture(
  { rgb, width_px, height_px }: RgbFrame,
  extension: 'jpg' | 'png',
): Promise<PictureFile> {
  const { default: sharp } = await import('sharp');
  const picture = sharp(rgb, { raw: { width: width_px, height: height_px, channels: 3 } });
  const encoded =
    extension === 'png'
      ? picture.png({ compressionLevel: 6 })
      : picture.jpeg({ quality: jpegQuality, chromaSubsampling: '4:4:4' });
  return { bytes: await encoded.toBuffer(), extension };
}

/** Width and height by the head of a picture file, as its bytes lie. Throws `unreadable_input`. */
export async function pictureSize(
  bytes: Uint8Array,
  name: string,
): Promise<readonly [width: number, height: number]> {
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(bytes)
    .metadata()
    .catch(() => ({ width: 0, height: 0 }));
  if (width > 0 && height > 0) return [width, height];
  throw new AssayError('unreadable_input', `${name} does not say how large it is`, {
    advice: 'leave its episode out with --without',
  });
}

import { sharp } from './sharp.ts';

/** A picture to be shown: pixels (grey, RGB or RGBA) or a picture file, and by how much to turn it clockwise. */
export type JpegSource =
  | {
      readonly type: 'pixels';
      readonly data: Uint8Array;
      readonly width: number;
      readonly height: number;
      readonly channels: 1 | 3 | 4;
      readonly rotation_deg: number;
    }
  | { readonly type: 'file'; readonly bytes: Uint8Array };

const usualQuality = 70;

/** A JPEG at most `width` px wide, upright; never enlarged. */
export async function toJpeg(
  source: JpegSource,
  width: number,
  quality = usualQuality,
): Promise<{ jpeg: Uint8Array; width_px: number; height_px: number }> {
  const { data, info } = await opened(source)
    .resize({ width, withoutEnlargement: true })
    .toColourspace('srgb')
    .flatten()
    .jpeg({ quality })
    .toBuffer({ resolveWithObject: true });
  return { jpeg: data, width_px: info.width, height_px: info.height };
}

function opened(source: JpegSource) {
  if (source.type === 'file') return sharp(source.bytes, { failOn: 'none' }).autoOrient();
  const { data, width, height, channels, rotation_deg } = source;
  const picture = sharp(data, { raw: { width, height, channels } });
  return rotation_deg === 0 ? picture : picture.rotate(rotation_deg);
}

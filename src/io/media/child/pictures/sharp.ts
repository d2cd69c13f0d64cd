import sharp from 'sharp';

/** sharp without cache and on one thread, because the service runs several child processes. */
sharp.cache(false);
sharp.concurrency(1);

export { sharp };

/** Source of a picture to render: pixels (grey, RGB or RGBA) with a clockwise rotation, or a picture file. */
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

const defaultQuality = 70;

/**
 * Encodes an upright JPEG of at most `width` px width, by default in quality 70 of 1 to 100; smaller pictures are not
 * enlarged.
 */
export async function toJpeg(
  source: JpegSource,
  width: number,
  quality = defaultQuality,
): Promise<{ jpeg: Uint8Array; width_px: number; height_px: number }> {
  const { data, info } = await openSource(source)
    .resize({ width, withoutEnlargement: true })
    .toColourspace('srgb')
    .flatten()
    .jpeg({ quality })
    .toBuffer({ resolveWithObject: true });
  return { jpeg: data, width_px: info.width, height_px: info.height };
}

function openSource(source: JpegSource) {
  if (source.type === 'file') return sharp(source.bytes, { failOn: 'none' }).autoOrient();
  const { data, width, height, channels, rotation_deg } = source;
  const picture = sharp(data, { raw: { width, height, channels } });
  return rotation_deg === 0 ? picture : picture.rotate(rotation_deg);
}

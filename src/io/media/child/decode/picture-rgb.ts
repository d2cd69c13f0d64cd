import { messageOf } from '#core';
import type { FrameWish, RgbPicture } from '../../media-port.ts';
import { isOfThisMachine } from '../of-this-machine.ts';
import { mostPixels, NotPicture } from '../pictures/decode-picture.ts';
import { sharp } from '../pictures/sharp.ts';
import type { JpegSource } from '../pictures/to-jpeg.ts';

/** The picture in RGB, reduced for each wish that wants it. Throws NotPicture. */
export async function picturesOf(
  source: JpegSource,
  wishes: readonly FrameWish[],
  wanted: readonly number[],
): Promise<(RgbPicture | null)[]> {
  const pictures: (RgbPicture | null)[] = wishes.map(() => null);
  for (const wish of wanted) pictures[wish] = await rgbOf(source, wishes[wish].longest_side_px);
  return pictures;
}

async function rgbOf(source: JpegSource, side: number): Promise<RgbPicture> {
  try {
    const { data, info } = await opened(source)
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const rgb = info.channels === 3 ? new Uint8Array(data) : widened(data, info.channels);
    return { width_px: info.width, height_px: info.height, rgb, stored_px: await storedSize(source) };
  } catch (thrown) {
    if (isOfThisMachine(thrown)) throw thrown;
    throw new NotPicture(messageOf(thrown).split('\n')[0]);
  }
}

/** Width and height as it is shown. */
async function storedSize(source: JpegSource): Promise<readonly [number, number]> {
  if (source.type === 'file') {
    const { autoOrient } = await sharp(source.bytes).metadata();
    return [autoOrient.width, autoOrient.height];
  }
  const { width, height, rotation_deg } = source;
  return rotation_deg % 180 === 0 ? [width, height] : [height, width];
}

function opened(source: JpegSource) {
  if (source.type === 'file')
    return sharp(source.bytes, { failOn: 'error', limitInputPixels: mostPixels }).autoOrient();
  const { data, width, height, channels, rotation_deg } = source;
  const picture = sharp(data, { raw: { width, height, channels }, limitInputPixels: mostPixels });
  return rotation_deg === 0 ? picture : picture.rotate(rotation_deg);
}

/** Grey, with or without alpha, in three channels. */
function widened(data: Uint8Array, channels: number): Uint8Array {
  const rgb = new Uint8Array((3 * data.length) / channels);
  for (let i = 0, o = 0; o < rgb.length; i += channels, o += 3) rgb.fill(data[i], o, o + 3);
  return rgb;
}

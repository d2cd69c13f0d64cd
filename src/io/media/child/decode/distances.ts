import { messageOf } from '#core';
import type { RawLayout } from '#core/episode';
import type { DistancePicture } from '../../media-port.ts';
import { rawNumbers } from '../embedded/raw-picture.ts';
import { isOfThisMachine } from '../of-this-machine.ts';
import { mostPixels, NotPicture, Unsupported } from '../pictures/decode-picture.ts';
import { sharp } from '../pictures/sharp.ts';

/** The numbers of a picture of one channel of 16 bits, or of raw pixels with a layout. Throws NotPicture. */
export async function distancesOf(bytes: Uint8Array, layout?: RawLayout): Promise<DistancePicture> {
  if (layout !== undefined)
    return { width_px: layout.width, height_px: layout.height, values: rawNumbers(bytes, layout) };
  try {
    const picture = sharp(bytes, { failOn: 'error', limitInputPixels: mostPixels });
    const { channels, depth } = await picture.metadata();
    if (channels !== 1 || depth !== 'ushort')
      throw new Unsupported(`a picture of ${channels} x ${depth} holds no distances: they have 16 bits`);
    const raw = picture.toColourspace('grey16').raw({ depth: 'ushort' });
    const { data, info } = await raw.toBuffer({ resolveWithObject: true });
    const own = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
    return { width_px: info.width, height_px: info.height, values: new Uint16Array(own) };
  } catch (thrown) {
    if (thrown instanceof NotPicture || isOfThisMachine(thrown)) throw thrown;
    throw new NotPicture(messageOf(thrown).split('\n')[0]);
  }
}

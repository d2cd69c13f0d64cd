import type { KeptPicture } from '#core/episode';
import type { JpegSource } from '../pictures/to-jpeg.ts';
import { Unshown } from '../shown-frame.ts';
import { rgbOf } from './rgb.ts';
import { UnitDecoder, type VideoEncoding } from './unit-decoder.ts';

/** The frame of one access unit, decoded with those kept before it. Throws Unshown. */
export function unitFrame(
  encoding: VideoEncoding,
  kept: readonly KeptPicture[],
  index: number,
  width_px: number,
): JpegSource {
  let found: JpegSource | null = null;
  const decoder = new UnitDecoder(encoding, (unit, frame) => {
    if (unit.index === index) found = rgbOf(frame, width_px, 0);
  });
  decoder.decode(kept);
  if (found === null) throw new Unshown(decoder.failure ?? 'the decoder gives nothing for it');
  return found;
}

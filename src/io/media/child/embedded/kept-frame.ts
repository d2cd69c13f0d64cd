import type { KeptPicture, PictureEncoding } from '#core/episode';
import type { FramesRequest } from '../../media-port.ts';
import { DeepScale } from '../pictures/deep-luma.ts';
import type { JpegSource } from '../pictures/to-jpeg.ts';
import { type ShownFrame, Unshown } from '../shown-frame.ts';
import { rawLuma, rawSource } from './raw-picture.ts';

/** One of the kept pictures: only these are at hand of a stream inside another container. Throws Unshown, NotPicture. */
export async function keptFrame(
  encoding: PictureEncoding,
  kept: readonly KeptPicture[],
  time_s: number,
  { pick, width_px }: FramesRequest,
): Promise<ShownFrame> {
  const picture = pick === 'shown' ? lastUntil(kept, time_s) : nearest(kept, time_s);
  if (picture === undefined) throw new Unshown('no picture of it was kept');
  return { source: await sourceOf(encoding, picture, kept, width_px), time_s: picture.time_s };
}

function nearest(kept: readonly KeptPicture[], time_s: number): KeptPicture | undefined {
  const far = (picture: KeptPicture) => Math.abs(picture.time_s - time_s);
  return kept.toSorted((a, b) => far(a) - far(b))[0];
}

/** The first one where all are later. */
function lastUntil(kept: readonly KeptPicture[], time_s: number): KeptPicture | undefined {
  return kept.findLast((picture) => picture.time_s <= time_s) ?? kept[0];
}

async function sourceOf(
  encoding: PictureEncoding,
  picture: KeptPicture,
  kept: readonly KeptPicture[],
  width_px: number,
): Promise<JpegSource> {
  if (picture.layout !== undefined) {
    const luma = rawLuma(picture.bytes, picture.layout, new DeepScale());
    return rawSource(picture.bytes, picture.layout, luma);
  }
  switch (encoding) {
    case 'h264':
    case 'h265':
    case 'av1':
    case 'vp9': {
      const { unitFrame } = await import('../video/unit-frame.ts');
      return unitFrame(encoding, kept, picture.index, width_px);
    }
    default:
      return { type: 'file', bytes: picture.bytes };
  }
}

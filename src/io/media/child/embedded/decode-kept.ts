import type { KeptPicture, PictureEncoding } from '#core/episode';
import { advance } from '#io/processes';
import type { EvidenceBuilder } from '../evidence-builder.ts';
import { decodePicture, NotPicture, Unsupported } from '../pictures/decode-picture.ts';
import { DeepScale } from '../pictures/deep-luma.ts';
import type { JpegSource } from '../pictures/to-jpeg.ts';
import type { ThumbnailKeeper } from '../thumbnail-keeper.ts';
import type { KeptOutcome } from './kept-outcome.ts';
import { rawLuma, rawSource } from './raw-picture.ts';

/** Decodes the kept pictures in order, into the builder. */
export async function decodeKept(
  encoding: PictureEncoding,
  kept: readonly KeptPicture[],
  builder: EvidenceBuilder,
  keeper: ThumbnailKeeper,
): Promise<KeptOutcome> {
  switch (encoding) {
    case 'h264':
    case 'h265':
    case 'av1':
    case 'vp9': {
      const { decodeUnits } = await import('../video/decode-units.ts');
      return decodeUnits(encoding, kept, builder, keeper);
    }
    default:
      return decodeStills(encoding, kept, builder, keeper);
  }
}

interface Still {
  readonly luma: Parameters<EvidenceBuilder['add']>[2];
  readonly size: readonly [number, number];
  readonly codec: string;
  readonly pixel_format: string;
  readonly source: JpegSource;
}

async function decodeStills(
  encoding: PictureEncoding,
  kept: readonly KeptPicture[],
  builder: EvidenceBuilder,
  keeper: ThumbnailKeeper,
): Promise<KeptOutcome> {
  const scale = new DeepScale();
  let first: Still | null = null;
  let failure: string | null = null;
  let supported = true;
  for (const picture of kept) {
    advance();
    try {
      const still = await decodeStill(picture, scale);
      first ??= still;
      keeper.offer(builder.add(picture.index, picture.time_s, still.luma), () => still.source);
    } catch (thrown) {
      if (!(thrown instanceof NotPicture)) throw thrown;
      if (thrown instanceof Unsupported) supported = false;
      failure ??= `picture ${picture.index}: ${thrown.message}`;
    }
  }
  return {
    codec: first?.codec ?? encoding,
    pixel_format: first?.pixel_format ?? 'unknown',
    size: first?.size ?? null,
    failure,
    supported,
  };
}

async function decodeStill({ bytes, layout }: KeptPicture, scale: DeepScale): Promise<Still> {
  if (layout !== undefined) {
    const luma = rawLuma(bytes, layout, scale);
    const source = rawSource(bytes, layout, luma);
    return { luma, size: [luma.width, luma.height], codec: 'raw', pixel_format: layout.encoding, source };
  }
  const picture = await decodePicture(bytes, scale);
  return {
    luma: picture.luma,
    size: [picture.width_px, picture.height_px],
    codec: picture.format,
    pixel_format: picture.pixel_format,
    source: { type: 'file', bytes },
  };
}

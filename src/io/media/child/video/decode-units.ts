import type { KeptPicture } from '#core/episode';
import type { KeptOutcome } from '../embedded/kept-outcome.ts';
import type { EvidenceBuilder } from '../thumbnail-keeper.ts';
import { type ThumbnailKeeper, thumbnailWidth } from '../thumbnail-keeper.ts';
import { decoderWords } from './decoder-words.ts';
import { LumaReader, pixelFormatName } from './read-luma.ts';
import { rgbOf } from './rgb.ts';
import { UnitDecoder, type VideoEncoding } from './unit-decoder.ts';

/** Decodes access units kept of a compressed-video topic, into the builder. */
export async function decodeUnits(
  encoding: VideoEncoding,
  kept: readonly KeptPicture[],
  builder: EvidenceBuilder,
  keeper: ThumbnailKeeper,
): Promise<KeptOutcome> {
  decoderWords.clear();
  const reader = new LumaReader();
  let size: readonly [number, number] | null = null;
  let pixel_format = 'unknown';
  const decoder = new UnitDecoder(encoding, ({ index, time_s }, frame) => {
    const luma = reader.read(frame);
    size ??= [luma.width, luma.height];
    pixel_format = pixelFormatName(frame.format);
    keeper.offer(builder.add(index, time_s, luma), () => rgbOf(frame, thumbnailWidth, 0));
  });
  decoder.decode(kept);
  const words = decoder.failure === null ? null : await decoderWords.first();
  const failure =
    decoder.failure === null || words === null ? decoder.failure : `${decoder.failure} (${words})`;
  const lacking = failure === null && builder.count < kept.length;
  return {
    codec: encoding,
    pixel_format,
    size,
    failure: lacking ? 'the decoder gives nothing for the rest' : failure,
    supported: true,
  };
}

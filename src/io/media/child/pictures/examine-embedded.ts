import { countPhrase } from '#core';
import {
  type CameraEvidence,
  type ContainerFacts,
  type FrameLocator,
  type PictureEncoding,
  picturesSkippedReason,
  type RepeatFacts,
  type SampledPicture,
} from '#core/episode';
import { reportProgress } from '#io/processes';
import type { CameraRequest } from '../../media-port.ts';
import { noEvidence } from '../../no-evidence.ts';
import { EvidenceBuilder, ThumbnailSelector } from '../evidence-builder.ts';
import { repeatFacts } from '../repeats.ts';
import type { UnitsOutcome } from '../video/unit-decoder.ts';
import { DeepScale, decodePicture, PictureError, UnsupportedPicture } from './decode-picture.ts';
import { rawLuma, rawSource } from './raw-picture.ts';
import type { JpegSource } from './sharp.ts';

type EmbeddedLocator = Extract<FrameLocator, { type: 'embedded' }>;

/**
 * Measures the pictures inside a recording by the sample that the reader extracted, and their repeats by checksums of
 * all; returns why if they cannot be decoded.
 */
export async function examineEmbedded(
  locator: EmbeddedLocator,
  request: CameraRequest,
): Promise<CameraEvidence> {
  const { kept: extracted = [], payloads } = request.frames;
  const count = payloads?.bytes.length ?? extracted.length;
  if (count === 0) return noEvidence('no', `${locator.channel} has no images`);
  if (request.pictures === 'none')
    return { ...noEvidence('not_measured', picturesSkippedReason), repeats: payloadRepeats(request) };
  const whole = extracted.filter((picture) => picture.bytes.length > 0);
  if (whole.length === 0) {
    const reason =
      extracted.length > 0 ? 'the images are empty (0 bytes)' : 'no image was kept for measuring';
    return {
      ...noEvidence(extracted.length > 0 ? 'no' : 'not_measured', reason),
      repeats: payloadRepeats(request),
    };
  }
  const builder = new EvidenceBuilder();
  const selector = new ThumbnailSelector(
    request.thumbnails,
    whole.map((picture) => picture.index),
  );
  const outcome = await decodePictures(locator.encoding, whole, builder, selector);
  const reason = describeOutcome(outcome, builder.count, whole.length, countEmpty(request));
  return {
    decodable: decodability(outcome, builder.count, reason),
    reason,
    container: outcome.size === null ? null : containerFacts(outcome, outcome.size, count),
    sampled: builder.sampled(),
    repeats: isVideo(locator) ? builder.repeats('sampled', true) : payloadRepeats(request),
    thumbnails: await selector.thumbnails(),
    coded: null,
  };
}

/** Returns true for video codecs, whose bytes differ from frame to frame even if the picture does not. */
function isVideo({ encoding }: EmbeddedLocator): boolean {
  return encoding === 'h264' || encoding === 'h265' || encoding === 'av1' || encoding === 'vp9';
}

function decodability(
  outcome: UnitsOutcome,
  decoded: number,
  reason: string | null,
): CameraEvidence['decodable'] {
  if (decoded === 0) return outcome.supported ? 'no' : 'not_measured';
  return reason === null ? 'yes' : 'partial';
}

function describeOutcome(
  outcome: UnitsOutcome,
  decoded: number,
  requested: number,
  empty: number,
): string | null {
  if (outcome.failure !== null) {
    return decoded === 0
      ? outcome.failure
      : `${decoded} of ${requested} sampled images can be decoded; ${outcome.failure}`;
  }
  return empty === 0 ? null : countPhrase(empty, 'messages have no image (0 bytes)');
}

function countEmpty({ frames }: CameraRequest): number {
  let empty = 0;
  for (const bytes of frames.payloads?.bytes ?? []) if (bytes === 0) empty++;
  return empty;
}

/** Compares all pairs of consecutive pictures by their bytes, without decoding. */
function payloadRepeats({ frames, declared_rate_hz }: CameraRequest): RepeatFacts {
  const { payloads, kept: extracted = [] } = frames;
  if (payloads === undefined)
    return {
      pairs_compared: 0,
      pairs_equal: 0,
      runs: [],
      places: [],
      place_count: 0,
      method: 'none',
      in_motion: null,
    };
  const { crc32, bytes } = payloads;
  const isEqual = (i: number) => crc32[i] === crc32[i - 1] && bytes[i] === bytes[i - 1] && bytes[i] > 0;
  const pairs = Array.from(interpolateTimes(bytes.length, extracted, declared_rate_hz), (time_s, index) => ({
    index,
    time_s,
    equal: index === 0 ? null : isEqual(index),
    motion: Number.NaN,
  }));
  return repeatFacts(pairs, 'payload');
}

/**
 * Interpolates the times of all frames linearly between extracted pictures; by the rate (1 Hz if null) if there are
 * fewer than two.
 */
function interpolateTimes(
  count: number,
  extracted: readonly SampledPicture[],
  rate_hz: number | null,
): Float64Array {
  const times = new Float64Array(count);
  if (extracted.length < 2) return times.map((_, i) => i / (rate_hz ?? 1));
  let k = 0;
  for (let i = 0; i < count; i++) {
    while (k + 2 < extracted.length && extracted[k + 1].index <= i) k++;
    const [a, b] = [extracted[k], extracted[k + 1]];
    times[i] = a.time_s + ((i - a.index) * (b.time_s - a.time_s)) / Math.max(1, b.index - a.index);
  }
  return times;
}

function containerFacts(
  { codec, pixel_format }: UnitsOutcome,
  size: readonly [number, number],
  count: number,
): ContainerFacts {
  return {
    codec,
    width_px: size[0],
    height_px: size[1],
    pixel_format,
    frame_count: count,
    declared_frame_count: null,
    rate_hz: null,
    first_pts_s: null,
    last_pts_s: null,
    pts_jitter_ratio: null,
    rotation_deg: 0,
    complete: true,
  };
}

/** Decodes the extracted pictures in order into the builder. */
async function decodePictures(
  encoding: PictureEncoding,
  extracted: readonly SampledPicture[],
  builder: EvidenceBuilder,
  selector: ThumbnailSelector,
): Promise<UnitsOutcome> {
  switch (encoding) {
    case 'h264':
    case 'h265':
    case 'av1':
    case 'vp9': {
      const { decodeUnits } = await import('../video/unit-decoder.ts');
      return decodeUnits(encoding, extracted, builder, selector);
    }
    default:
      return decodeStills(encoding, extracted, builder, selector);
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
  extracted: readonly SampledPicture[],
  builder: EvidenceBuilder,
  selector: ThumbnailSelector,
): Promise<UnitsOutcome> {
  const scale = new DeepScale();
  let first: Still | null = null;
  let failure: string | null = null;
  let supported = true;
  for (const picture of extracted) {
    reportProgress();
    try {
      const still = await decodeStill(picture, scale);
      first ??= still;
      selector.consider(builder.add(picture.index, picture.time_s, still.luma), () => still.source);
    } catch (thrown) {
      if (!(thrown instanceof PictureError)) throw thrown;
      if (thrown instanceof UnsupportedPicture) supported = false;
      failure ??= `image ${picture.index}: ${thrown.message}`;
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

async function decodeStill({ bytes, layout }: SampledPicture, scale: DeepScale): Promise<Still> {
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

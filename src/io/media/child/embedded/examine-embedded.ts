import { counted } from '#core';
import {
  type CameraEvidence,
  type ContainerFacts,
  type FrameLocator,
  type KeptPicture,
  type PictureEncoding,
  picturesLeftOut,
  type RepeatFacts,
} from '#core/episode';
import { advance } from '#io/processes';
import type { CameraRequest } from '../../media-port.ts';
import { noEvidence } from '../../no-evidence.ts';
import { DeepScale, decodePicture, NotPicture, Unsupported } from '../pictures/decode-picture.ts';
import type { JpegSource } from '../pictures/to-jpeg.ts';
import { repeatFacts } from '../repeats.ts';
import { EvidenceBuilder, ThumbnailKeeper } from '../thumbnail-keeper.ts';
import type { KeptOutcome } from './kept-outcome.ts';
import { rawLuma, rawSource } from './raw-picture.ts';

type EmbeddedLocator = Extract<FrameLocator, { type: 'embedded' }>;

/** Measures pictures that lie inside another container, by the sample of them that the reader kept. */
export async function examineEmbedded(
  locator: EmbeddedLocator,
  request: CameraRequest,
): Promise<CameraEvidence> {
  const { kept = [], payloads } = request.frames;
  const count = payloads?.bytes.length ?? kept.length;
  if (count === 0) return noEvidence('no', `${locator.channel} carries no picture`);
  if (request.pictures === 'none')
    return { ...noEvidence('not_measured', picturesLeftOut), repeats: payloadRepeats(request) };
  const whole = kept.filter((picture) => picture.bytes.length > 0);
  if (whole.length === 0) {
    const reason = kept.length > 0 ? 'the pictures are empty (0 bytes)' : 'no picture was kept for measuring';
    return {
      ...noEvidence(kept.length > 0 ? 'no' : 'not_measured', reason),
      repeats: payloadRepeats(request),
    };
  }
  const builder = new EvidenceBuilder();
  const keeper = new ThumbnailKeeper(
    request.thumbnails,
    whole.map((picture) => picture.index),
  );
  const outcome = await decodeKept(locator.encoding, whole, builder, keeper);
  const reason = describe(outcome, builder.count, whole.length, emptyOf(request));
  return {
    decodable: decodability(outcome, builder.count, reason),
    reason,
    container: outcome.size === null ? null : facts(outcome, outcome.size, count),
    sampled: builder.sampled(),
    repeats: isVideo(locator) ? builder.repeats('sampled', true) : payloadRepeats(request),
    thumbnails: await keeper.thumbnails(),
    coded: null,
  };
}

/** Coded video changes bytes from frame to frame even when the picture does not. */
function isVideo({ encoding }: EmbeddedLocator): boolean {
  return encoding === 'h264' || encoding === 'h265' || encoding === 'av1' || encoding === 'vp9';
}

function decodability(
  outcome: KeptOutcome,
  decoded: number,
  reason: string | null,
): CameraEvidence['decodable'] {
  if (decoded === 0) return outcome.supported ? 'no' : 'not_measured';
  return reason === null ? 'yes' : 'partial';
}

function describe(outcome: KeptOutcome, decoded: number, asked: number, empty: number): string | null {
  if (outcome.failure !== null) {
    return decoded === 0
      ? outcome.failure
      : `${decoded} of ${asked} sampled pictures decode; ${outcome.failure}`;
  }
  return empty === 0 ? null : counted(empty, 'messages carry no picture (0 bytes)');
}

function emptyOf({ frames }: CameraRequest): number {
  let empty = 0;
  for (const bytes of frames.payloads?.bytes ?? []) if (bytes === 0) empty++;
  return empty;
}

const notDecoded = new Uint8Array(0);

/** Equal bytes are equal pictures: every pair is compared, none decoded. */
function payloadRepeats({ frames, declared_rate_hz }: CameraRequest): RepeatFacts {
  const { payloads, kept = [] } = frames;
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
  const pairs = Array.from(timesOf(bytes.length, kept, declared_rate_hz), (time_s, index) => ({
    index,
    time_s,
    equal: index === 0 ? null : isEqual(index),
    motion: Number.NaN,
    grid: notDecoded,
  }));
  return repeatFacts(pairs, 'payload', false);
}

/** Times of all frames between those that are known, on straight lines; by the rate where fewer than two are. */
function timesOf(count: number, kept: readonly KeptPicture[], rate_hz: number | null): Float64Array {
  const times = new Float64Array(count);
  if (kept.length < 2) return times.map((_, i) => i / (rate_hz ?? 1));
  let k = 0;
  for (let i = 0; i < count; i++) {
    while (k + 2 < kept.length && kept[k + 1].index <= i) k++;
    const [a, b] = [kept[k], kept[k + 1]];
    times[i] = a.time_s + ((i - a.index) * (b.time_s - a.time_s)) / Math.max(1, b.index - a.index);
  }
  return times;
}

function facts(
  { codec, pixel_format }: KeptOutcome,
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

/** Decodes the kept pictures in order, into the builder. */
async function decodeKept(
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

import type { RepeatFacts } from '#core/episode';
import type { CameraRequest } from '../../media-port.ts';
import { planSamples, range, repeatCandidates, type SpanPackets } from '../plan-samples.ts';
import { doubtAbout, EvidenceBuilder, ThumbnailKeeper, thumbnailWidth } from '../thumbnail-keeper.ts';
import { type DecodeOutcome, decodeFrames, decodingCost } from './decode-frames.ts';
import { WantsParts } from './parts/parts.ts';
import { LumaReader } from './read-luma.ts';
import { rgbOf } from './rgb.ts';
import { rotationOf, type Span, timeAt } from './span.ts';
import type { VideoFile } from './video-file.ts';

/** What one pass over a span gave. */
export interface Pass {
  readonly builder: EvidenceBuilder;
  readonly keeper: ThumbnailKeeper;
  readonly outcome: DecodeOutcome;
  /** Frames asked for. */
  readonly asked: number;
  readonly method: RepeatFacts['method'];
  /** Pairs that the method answers for, where these are more than those decoded. */
  readonly pairs: number | null;
}

/** Decoding a part is not worth it once it costs this share of the whole. */
const worthSampling = 0.5;
/** Pixels decoded of one span at most, where every frame is in doubt: 20,000 frames of 640x480. */
const mostPixels = 6e9;
/** So many repeats among the samples, or such a share of all frames among the suspects, and every frame is looked at. */
const manyRepeats = 2;
const repeatedOften = 0.05;
/** Frames on either side of one that may be a repeat. */
const around = 3;
/** Windows of a span that is too long to be decoded whole. */
const windowCount = 64;

const reader = new LumaReader();

/** Throws unless what these frames are decoded from is there. */
export type Demand = (places: readonly number[]) => void;

/**
 * Decodes as much of a span as it takes: samples where nothing is suspicious; where only a few repeats were met, the
 * frames whose packets are small enough to be repeats; every frame where pictures are black, blank or damaged, where
 * they repeat often, or where the lesser ways would cost nearly as much. `demand`: the file is not there whole.
 */
export function decodeSpan(
  file: VideoFile,
  span: Span,
  { thumbnails, stamps_s, pictures }: Pick<CameraRequest, 'thumbnails' | 'stamps_s' | 'pictures'>,
  demand?: Demand,
): Pass {
  const timeOf = clockOf(file, span, stamps_s ?? null);
  const decode = (frames: readonly number[], method: RepeatFacts['method'], pairs: number | null = null) =>
    decodePlaces(
      { file, span, timeOf, demand },
      frames,
      method,
      pairs,
      new ThumbnailKeeper(thumbnails, frames),
    );
  const isWorth = (frames: readonly number[]) =>
    frames.length < span.count &&
    decodingCost(
      file,
      frames.map((i) => span.first + i),
    ) <
      worthSampling * span.count;
  if (pictures === 'all') return decode(range(0, span.count), 'every_frame');
  const packets = spanPackets(file, span);
  const samples = planSamples(packets);
  if (!isBroken(file, span) && isWorth(samples)) {
    const pass = decode(samples, 'sampled');
    if (pass.doubt === 'none') return pass;
    const closely = pass.doubt === 'repeats' && pass.repeated < manyRepeats && !pass.builder.mayRepeat;
    const candidates = closely ? repeatCandidates(packets) : [];
    const suspects = merged(samples, candidates, span.count);
    if (candidates.length > 0 && isWorth(suspects)) {
      const closer = decode(suspects, 'packets', span.count - 1);
      if (closer.doubt !== 'grave' && closer.repeated < repeatedOften * span.count) return closer;
    }
  }
  const affordable = Math.max(1000, Math.floor(mostPixels / packets.pixels));
  if (span.count <= affordable) return decode(range(0, span.count), 'every_frame');
  return decode(windows(span.count, affordable), 'sampled');
}

/** The frames of `samples`, and each of `suspects` with those beside it that show whether anything moves there. */
function merged(samples: readonly number[], suspects: readonly number[], count: number): number[] {
  const all = new Set(samples);
  for (const at of suspects)
    for (let i = at - 1 - around; i <= at + around; i++) if (i >= 0 && i < count) all.add(i);
  return [...all].sort((a, b) => a - b);
}

function windows(count: number, affordable: number): number[] {
  const length = Math.floor(affordable / windowCount);
  const chosen: number[] = [];
  for (let i = 0; i < windowCount; i++) {
    const from = Math.floor((i * (count - length)) / (windowCount - 1));
    for (const at of range(from, from + length)) if (at > (chosen.at(-1) ?? -1)) chosen.push(at);
  }
  return chosen;
}

/** Seconds since the start of the episode of a shown frame: by the stamps of the stream where it says that the file has none. */
function clockOf(file: VideoFile, span: Span, stamps_s: Float64Array | null): (place: number) => number {
  const own = (place: number) => timeAt(file, place) - span.from_s;
  return stamps_s === null ? own : (place) => stamps_s[place] ?? own(place);
}

interface Decoding {
  readonly file: VideoFile;
  readonly span: Span;
  readonly timeOf: (place: number) => number;
  /** Absent: the file is there whole. */
  readonly demand: Demand | undefined;
}

function decodePlaces(
  { file, span, timeOf, demand }: Decoding,
  frames: readonly number[],
  method: RepeatFacts['method'],
  pairs: number | null,
  keeper: ThumbnailKeeper,
): Pass & { readonly doubt: 'none' | 'repeats' | 'grave'; readonly repeated: number } {
  const builder = new EvidenceBuilder();
  const rotation = rotationOf(file.stream.codecpar);
  let doubt: 'none' | 'repeats' | 'grave' = 'none';
  const places = frames.map((i) => span.first + i);
  demand?.(places);
  const outcome = decodeFrames(file, places, (place, frame) => {
    const added = builder.add(place - span.first, timeOf(place), reader.read(frame));
    keeper.offer(added, () => rgbOf(frame, thumbnailWidth, rotation));
    const found = doubtAbout(added);
    if (found === 'grave' || doubt === 'none') doubt = found;
  });
  if (outcome.problems.length > 0 || outcome.damaged > 0 || builder.count < frames.length) {
    // What the whole file shows is what counts.
    if (demand !== undefined) throw new WantsParts(null);
    doubt = 'grave';
  }
  const repeated = builder.repeats(method, true).in_motion?.equal ?? 0;
  if (doubt === 'none' && (repeated > 0 || builder.mayRepeat)) doubt = 'repeats';
  return { builder, keeper, outcome, asked: frames.length, method, pairs, doubt, repeated };
}

function isBroken({ index }: VideoFile, span: Span): boolean {
  if (index.damaged === 0) return false;
  const shown = index.shown.subarray(span.first, span.first + span.count);
  return shown.some((position) => index.broken[position] === 1);
}

export function spanPackets(file: VideoFile, span: Span): SpanPackets {
  const { index } = file;
  const { width, height } = file.stream.codecpar;
  const shown = index.shown.subarray(span.first, span.first + span.count);
  return {
    count: span.count,
    key: Uint8Array.from(shown, (position) => index.key[position]),
    bytes: Int32Array.from(shown, (position) => index.bytes[position]),
    pixels: Math.max(1, width * height),
  };
}

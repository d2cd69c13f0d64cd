import type { CameraEvidence, ContainerFacts, RepeatFacts } from '#core/episode';
import type { CameraRequest } from '../../media-port.ts';
import { assessDoubt, EvidenceBuilder, ThumbnailSelector, thumbnailWidth } from '../evidence-builder.ts';
import { planSamples, range, repeatCandidates } from '../plan-samples.ts';
import {
  discardedChanges,
  findUnchangedRuns,
  type SpanPackets,
  type UnchangedRun,
} from '../unchanged-runs.ts';
import { MissingPartsError } from './available-parts.ts';
import { type DecodeOutcome, decodeFrames, decodingCost } from './decode-frames.ts';
import { withLogMessage } from './ffmpeg-log.ts';
import { frameToRgb, LumaReader } from './frame-pixels.ts';
import { readRotation_deg, type Span, timeAt } from './span.ts';
import { errorText, type VideoFile } from './video-file.ts';

/** Result of one decoding pass over a span. */
interface Pass {
  readonly builder: EvidenceBuilder;
  readonly selector: ThumbnailSelector;
  readonly outcome: DecodeOutcome;
  /** Number of requested frames. */
  readonly requested: number;
  readonly method: RepeatFacts['method'];
  /** Number of frame pairs that the method covers if it is more than were decoded, else null. */
  readonly pairs: number | null;
}

/** Decoding a part is only done below this fraction of the cost of the whole span. */
const maxSampledCost = 0.5;
/** Maximum number of pixels decoded of one span if every frame is in doubt: 20,000 frames of 640 x 480. */
const maxDecodedPixels = 6e9;
/**
 * With this many repeats among the samples, or this fraction of all frames among the suspects, every frame is decoded.
 */
const minManyRepeats = 2;
const minRepeatedFraction = 0.05;
/** Frames decoded on either side of a suspected repeat. */
const framesAround = 3;
/**
 * Shortest run of unchanged packets that is looked at, in seconds, and the rate assumed for it where the file has none. A
 * freeze of 0.4 s has one half as long, because encoders first refine its picture.
 */
const minUnchanged_s = 0.2;
const usualRate_hz = 30;
/** Frames before a run of unchanged packets that may show its picture already. */
const refinedFrames = 8;
/** Change of a cell in levels after a run of unchanged packets from which on the whole run is decoded. */
const minChangeAfterRun = 8;
/** Number of windows decoded of a span that is too long to be decoded whole. */
const windowCount = 64;

const reader = new LumaReader();

/** Throws MissingPartsError unless the packets needed for these frames are present. */
export type RequireFrames = (frameIndices: readonly number[]) => void;

/**
 * Decodes as much of a span as necessary: samples and the ends of runs of unchanged packets if nothing is suspicious; also
 * runs that may be freezes, and frames with small packets if a few repeats were found; every frame if pictures are black,
 * blank or damaged, if they repeat often, or if decoding less would cost nearly as much; windows if that is too much.
 * `requireFrames` is given if the file is only partly present.
 */
function decodeSpan(
  file: VideoFile,
  span: Span,
  rate_hz: number | null,
  { thumbnails, stamps_s, pictures }: Pick<CameraRequest, 'thumbnails' | 'stamps_s' | 'pictures'>,
  requireFrames?: RequireFrames,
): Pass {
  const packets = spanPackets(file, span);
  const timeOf = frameClock(file, span, stamps_s ?? null);
  const discards = discardedChanges(packets);
  const decode = (frames: readonly number[], method: RepeatFacts['method'], pairs: number | null = null) =>
    decodeSelected(
      { file, span, packets, discards, timeOf, requireFrames },
      frames,
      method,
      pairs,
      new ThumbnailSelector(thumbnails, frames),
    );
  const isWorth = (frames: readonly number[]) =>
    frames.length < span.count &&
    decodingCost(
      file,
      frames.map((i) => span.first + i),
    ) <
      maxSampledCost * span.count;
  if (pictures === 'all') return decode(range(0, span.count), 'every_frame');
  const unchanged = findUnchangedRuns(packets, Math.ceil(minUnchanged_s * (rate_hz ?? usualRate_hz)));
  const ends = unchanged.flatMap(({ from, to, before_gaps }) => [
    from,
    ...before_gaps,
    to,
    to + framesAround,
  ]);
  const samples = addNeighbours(planSamples(packets), ends, span.count);
  if (!hasBrokenPackets(file, span) && isWorth(samples)) {
    const pass = decode(samples, 'sampled');
    const frozen = unchanged.filter((run) => mayBeFrozen(run, pass.builder, span.count));
    if (pass.doubt === 'none' && frozen.length === 0) return pass;
    const few = pass.repeated < minManyRepeats && !pass.builder.mayRepeat;
    const closely = pass.doubt === 'none' || (pass.doubt === 'repeats' && few);
    const candidates = pass.doubt === 'repeats' && closely ? repeatCandidates(packets) : [];
    if (closely)
      for (const { from, to } of frozen) for (let i = from - refinedFrames; i <= to; i++) candidates.push(i);
    const suspects = addNeighbours(samples, candidates, span.count);
    if (candidates.length > 0 && isWorth(suspects)) {
      const closer =
        pass.doubt === 'none' ? decode(suspects, 'sampled') : decode(suspects, 'packets', span.count - 1);
      if (closer.doubt !== 'grave' && closer.repeated < minRepeatedFraction * span.count) return closer;
    }
  }
  const affordable = Math.max(1000, Math.floor(maxDecodedPixels / packets.pixels));
  if (span.count <= affordable) return decode(range(0, span.count), 'every_frame');
  return decode(windows(span.count, affordable), 'sampled');
}

/**
 * Returns true if a camera may have frozen during a run of unchanged packets: it lasts to the end, or the picture changes
 * at once after it.
 */
function mayBeFrozen({ to, before_gaps }: UnchangedRun, builder: EvidenceBuilder, count: number): boolean {
  const leapsAfter = (at: number) =>
    builder.largestMotion(at - framesAround, at + 2 * framesAround) >= minChangeAfterRun;
  return to >= count - framesAround || leapsAfter(to) || before_gaps.some(leapsAfter);
}

/** Returns the samples and each suspect with its neighbours, which show whether anything moves there. */
function addNeighbours(samples: readonly number[], suspects: readonly number[], count: number): number[] {
  const all = new Set(samples);
  for (const at of suspects)
    for (let i = at - 1 - framesAround; i <= at + framesAround; i++) if (i >= 0 && i < count) all.add(i);
  return [...all].sort((a, b) => a - b);
}

function windows(count: number, affordable: number): number[] {
  const length = Math.floor(affordable / windowCount);
  const windowFrames: number[] = [];
  for (let i = 0; i < windowCount; i++) {
    const from = Math.floor((i * (count - length)) / (windowCount - 1));
    for (const at of range(from, from + length)) if (at > (windowFrames.at(-1) ?? -1)) windowFrames.push(at);
  }
  return windowFrames;
}

/**
 * Returns a function that gives the time of a frame in seconds since the start of the episode: by `stamps_s` for files
 * without stamps of their own.
 */
function frameClock(
  file: VideoFile,
  span: Span,
  stamps_s: Float64Array | null,
): (frameIndex: number) => number {
  const fileTime = (frameIndex: number) => timeAt(file, frameIndex) - span.from_s;
  return stamps_s === null ? fileTime : (frameIndex) => stamps_s[frameIndex] ?? fileTime(frameIndex);
}

interface DecodeInputs {
  readonly file: VideoFile;
  readonly span: Span;
  readonly packets: SpanPackets;
  readonly discards: Float32Array;
  readonly timeOf: (frameIndex: number) => number;
  /** Set if the file is only partly present. */
  readonly requireFrames: RequireFrames | undefined;
}

function decodeSelected(
  { file, span, packets, discards, timeOf, requireFrames }: DecodeInputs,
  frames: readonly number[],
  method: RepeatFacts['method'],
  pairs: number | null,
  selector: ThumbnailSelector,
): Pass & { readonly doubt: 'none' | 'repeats' | 'grave'; readonly repeated: number } {
  const builder = new EvidenceBuilder();
  const rotation = readRotation_deg(file.stream.codecpar);
  let doubt: 'none' | 'repeats' | 'grave' = 'none';
  const frameIndices = frames.map((i) => span.first + i);
  requireFrames?.(frameIndices);
  const outcome = decodeFrames(file, frameIndices, (frameIndex, frame) => {
    const at = frameIndex - span.first;
    const coding = { key: packets.key[at] === 1, discards_up_to: discards[at] };
    const added = builder.add(at, timeOf(frameIndex), reader.read(frame), coding);
    selector.consider(added, () => frameToRgb(frame, thumbnailWidth, rotation));
    const found = assessDoubt(added);
    if (found === 'grave' || doubt === 'none') doubt = found;
  });
  if (outcome.problems.length > 0 || outcome.damaged > 0 || builder.count < frames.length) {
    // Problems are judged on the whole file.
    if (requireFrames !== undefined) throw new MissingPartsError(null);
    doubt = 'grave';
  }
  const repeated = builder.repeats(method, true).in_motion?.equal ?? 0;
  if (doubt === 'none' && (repeated > 0 || builder.mayRepeat)) doubt = 'repeats';
  return { builder, selector, outcome, requested: frames.length, method, pairs, doubt, repeated };
}

function hasBrokenPackets({ index }: VideoFile, span: Span): boolean {
  if (index.damaged === 0) return false;
  const shown = index.shown.subarray(span.first, span.first + span.count);
  return shown.some((position) => index.broken[position] === 1);
}

/** Returns the packet data of a span for planning samples. */
function spanPackets(file: VideoFile, span: Span): SpanPackets {
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

/**
 * Decodes as much of a span as necessary and returns its measurements, and why frames cannot be decoded; of a file that
 * is present in parts (`requireFrames`), missing packets throw MissingPartsError. Loaded only if pictures are measured.
 */
export async function examineFrames(
  file: VideoFile,
  span: Span,
  container: ContainerFacts,
  request: CameraRequest,
  requireFrames?: RequireFrames,
): Promise<CameraEvidence> {
  const pass = decodeSpan(file, span, container.rate_hz, request, requireFrames);
  const reason = await describeProblems(file, span, pass);
  const { bytes, key } = spanPackets(file, span);
  return {
    decodable: reason === null ? 'yes' : pass.builder.count === 0 ? 'no' : 'partial',
    reason,
    container,
    sampled: pass.builder.sampled(),
    repeats: pass.builder.repeats(pass.method, true, pass.pairs),
    thumbnails: await pass.selector.thumbnails(),
    coded: { bytes, key },
  };
}

/** Describes why not all requested frames were decoded; null if all were. */
async function describeProblems(file: VideoFile, span: Span, pass: Pass): Promise<string | null> {
  const got = pass.builder.count;
  const problem = pass.outcome.problems[0];
  if (problem !== undefined) {
    const at = file.time_s(problem.position) - span.from_s;
    const words = await withLogMessage(problem.text);
    return `${got} of ${pass.requested} frames can be decoded; decoder error at ${at.toFixed(3)} s: ${words}`;
  }
  if (pass.outcome.damaged > 0) {
    return `${got} of ${pass.requested} frames can be decoded; the decoder marks ${pass.outcome.damaged} as corrupt`;
  }
  if (got < pass.requested)
    return `${got} of ${pass.requested} frames can be decoded; the decoder returns nothing for the rest`;
  if (file.index.error !== null) return `reading stopped early: ${errorText(file.index.error)}`;
  return null;
}

import type { CameraEvidence, FrameLocator, RepeatFacts } from '#episode';
import type { CameraRequest } from '../../media-port.ts';
import { noEvidence } from '../../no-evidence.ts';
import { isDoubtful } from '../doubt.ts';
import { EvidenceBuilder } from '../evidence-builder.ts';
import { headOf, notMedia } from '../not-media.ts';
import { planSamples, range } from '../plan-samples.ts';
import { ThumbnailKeeper, thumbnailWidth } from '../thumbnail-keeper.ts';
import { type DecodeOutcome, decodeFrames, decodingCost } from './decode-frames.ts';
import { decoderWords } from './decoder-words.ts';
import { videoFile } from './open-files.ts';
import { LumaReader } from './read-luma.ts';
import { rgbOf } from './rgb.ts';
import { rotationOf } from './rotation.ts';
import { containerFacts, type Span, spanOf, timeAt } from './span.ts';
import { errorText, NotVideo, type VideoFile } from './video-file.ts';

type VideoLocator = Extract<FrameLocator, { type: 'video' }>;

/** Samples are as good as everything once they cost this share of it. */
const worthSampling = 0.5;
/** Pixels decoded of one span at most, where every frame is in doubt: 20,000 frames of 640x480. */
const mostPixels = 6e9;

const reader = new LumaReader();

/** Measures one span of a video file: sampled where nothing is suspicious, every frame where something is. */
export async function examineVideo(
  path: string,
  locator: VideoLocator,
  request: CameraRequest,
): Promise<CameraEvidence> {
  decoderWords.clear();
  let file: VideoFile;
  try {
    file = videoFile(path);
  } catch (thrown) {
    if (!(thrown instanceof NotVideo)) throw thrown;
    const what = notMedia(headOf(path));
    return noEvidence('no', what ?? (await quoted(thrown.message)));
  }
  const span = spanOf(file, locator.from_s, locator.to_s);
  const container = containerFacts(file, span);
  if (span.count === 0) {
    return { ...noEvidence('no', emptySpan(file, locator)), container };
  }
  const pass = decodeSpan(file, span, request.thumbnails);
  const reason = await describe(file, span, pass);
  return {
    decodable: reason === null ? 'yes' : pass.builder.count === 0 ? 'no' : 'partial',
    reason,
    container,
    sampled: pass.builder.sampled(),
    repeats: pass.builder.repeats(pass.method),
    thumbnails: await pass.keeper.thumbnails(),
  };
}

interface Pass {
  readonly keeper: ThumbnailKeeper;
  readonly builder: EvidenceBuilder;
  readonly outcome: DecodeOutcome;
  readonly asked: number;
  readonly method: RepeatFacts['method'];
}

function decodeSpan(file: VideoFile, span: Span, thumbnails: number): Pass {
  const decode = (frames: readonly number[], method: RepeatFacts['method']) =>
    decodePlaces(file, span, frames, method, new ThumbnailKeeper(thumbnails, frames));
  const all = range(0, span.count);
  const packets = span.count;
  const first = planSamples(spanPackets(file, span));
  const places = first.map((i) => span.first + i);
  if (first.length < span.count && decodingCost(file, places) < worthSampling * packets) {
    const pass = decode(first, 'sampled');
    if (!pass.doubtful && file.index.damaged === 0) return pass;
  }
  const affordable = Math.max(1000, Math.floor(mostPixels / pixelsOf(file)));
  if (span.count <= affordable) return decode(all, 'every_frame');
  return decode(windows(span.count, affordable), 'sampled');
}

/** Sixty-four stretches spread over a span too long to decode whole. */
function windows(count: number, affordable: number): number[] {
  const number = 64;
  const length = Math.floor(affordable / number);
  const chosen: number[] = [];
  for (let i = 0; i < number; i++) {
    const from = Math.floor((i * (count - length)) / (number - 1));
    for (const at of range(from, from + length)) if (at > (chosen.at(-1) ?? -1)) chosen.push(at);
  }
  return chosen;
}

function decodePlaces(
  file: VideoFile,
  span: Span,
  frames: readonly number[],
  method: RepeatFacts['method'],
  keeper: ThumbnailKeeper,
): Pass & { readonly doubtful: boolean } {
  const builder = new EvidenceBuilder();
  const rotation = rotationOf(file.stream.codecpar);
  let doubtful = false;
  const places = frames.map((i) => span.first + i);
  const outcome = decodeFrames(file, places, (place, frame) => {
    const time_s = timeAt(file, place) - span.from_s;
    const added = builder.add(place - span.first, time_s, reader.read(frame));
    keeper.offer(added, () => rgbOf(frame, thumbnailWidth, rotation));
    if (isDoubtful(added)) doubtful = true;
  });
  if (outcome.problems.length > 0 || outcome.damaged > 0 || builder.count < frames.length) doubtful = true;
  return { builder, keeper, outcome, asked: frames.length, method, doubtful };
}

function pixelsOf(file: VideoFile): number {
  const { width, height } = file.stream.codecpar;
  return Math.max(1, width * height);
}

function spanPackets(file: VideoFile, span: Span) {
  const { index } = file;
  const shown = index.shown.subarray(span.first, span.first + span.count);
  return {
    count: span.count,
    key: Uint8Array.from(shown, (position) => index.key[position]),
    bytes: Int32Array.from(shown, (position) => index.bytes[position]),
    pixels: pixelsOf(file),
  };
}

/** Why not every frame asked for decoded; null when all did. */
async function describe(file: VideoFile, span: Span, pass: Pass): Promise<string | null> {
  const got = pass.builder.count;
  const problem = pass.outcome.problems[0];
  if (problem !== undefined) {
    const at = file.time_s(problem.position) - span.from_s;
    const words = await quoted(problem.text);
    return `${got} of ${pass.asked} frames decode; at ${at.toFixed(3)} s the decoder says: ${words}`;
  }
  if (pass.outcome.damaged > 0) {
    return `${got} of ${pass.asked} frames decode; ${pass.outcome.damaged} are marked as damaged by the decoder`;
  }
  if (got < pass.asked)
    return `${got} of ${pass.asked} frames decode; the decoder gives nothing for the rest`;
  if (file.index.error !== null) return `reading ended early: ${errorText(file.index.error)}`;
  return null;
}

async function quoted(text: string): Promise<string> {
  const words = await decoderWords.first();
  return words === null ? text : `${text} (${words})`;
}

function emptySpan(file: VideoFile, locator: VideoLocator): string {
  const { length } = file.index.shown;
  if (length === 0) return 'the video holds no frames';
  const last = timeAt(file, length - 1).toFixed(3);
  const to = locator.to_s === null ? 'the end' : `${locator.to_s} s`;
  return `no frame lies between ${locator.from_s} s and ${to}; the file's last is at ${last} s`;
}

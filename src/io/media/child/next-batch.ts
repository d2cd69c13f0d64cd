import type { SampledPicture } from '#core/episode';
import type { DecodedFrame, FrameOutcome, PlannedFrame } from '../media-port.ts';
import { planFrames } from '../plan-frames.ts';
import type { Batch, BatchRequest } from '../protocol.ts';
import { FrameUnavailable } from './media-errors.ts';
import { resolveInside } from './media-files.ts';
import { embeddedFrames, fileFrames } from './picture-frames.ts';

/** A batch ends when its pictures exceed this size or this number. */
const maxBatchBytes = 8 * 2 ** 20;
const maxBatchFrames = 32;

/**
 * Returns the next decoded frames of a request, as many as fit into a batch, and whether they are the last; `reason` if
 * none can be decoded.
 *
 * Continues the stream that is open if it is at `request.from`, else opens it.
 */
export async function nextBatch(request: BatchRequest): Promise<Batch> {
  try {
    const frames: FrameOutcome[] = [];
    const under = await continueStream(request);
    for (let bytes = 0; bytes < maxBatchBytes && frames.length < maxBatchFrames; ) {
      const { value, done } = await under.frames.next();
      if (done === true) {
        await closeStream();
        return { frames, done: true, reason: null };
      }
      frames.push(value);
      bytes += 'pictures' in value ? byteSize(value) : 0;
    }
    under.at += frames.length;
    return { frames, done: false, reason: null };
  } catch (thrown) {
    await closeStream();
    if (thrown instanceof FrameUnavailable) return { frames: [], done: true, reason: thrown.message };
    throw thrown;
  }
}

function byteSize({ pictures, distances }: DecodedFrame): number {
  const distanceBytes = distances?.values.byteLength ?? 0;
  return pictures.reduce((sum, one) => sum + (one?.rgb.length ?? 0), distanceBytes);
}

async function continueStream(request: BatchRequest): Promise<OpenStream> {
  const { stream, from } = request;
  const current = currentStream();
  if (current?.stream === stream && current.at === from) return current;
  return startStream({ stream, at: from, frames: openFrames(request) });
}

/** Decodes the frames of a request one by one. Throws FrameUnavailable if none can be decoded. */
async function* openFrames(request: BatchRequest): AsyncGenerator<FrameOutcome, void, undefined> {
  const { locator } = request.frames;
  switch (locator.type) {
    case 'missing':
      throw new FrameUnavailable(locator.reason);
    case 'video': {
      if (request.distances === true) throw new FrameUnavailable('depth values cannot be read from video');
      const path = resolveInside(request.root, locator.path);
      if (path === null) throw new FrameUnavailable(`file not found: ${locator.path}`);
      const { videoFrames } = await import('./video-frames.ts');
      return yield* videoFrames(path, locator, request);
    }
    case 'image-files':
      return yield* fileFrames(locator.paths, planFiles(request, locator.paths.length), request);
    case 'embedded': {
      const { kept: extracted = [] } = request.frames;
      return yield* embeddedFrames(locator.encoding, extracted, planEmbedded(request, extracted), request);
    }
  }
}

/** Plans picture files by the stamps of the stream, else by its rate. */
function planFiles(request: BatchRequest, count: number): readonly PlannedFrame[] {
  const { stamps_s, declared_rate_hz, needs, from } = request;
  const rate_hz = declared_rate_hz ?? 1;
  const times_s = stamps_s?.subarray(0, count) ?? Float64Array.from({ length: count }, (_, i) => i / rate_hz);
  return planFrames(times_s, needs).slice(from);
}

function planEmbedded(
  { plan, needs, from }: BatchRequest,
  extracted: readonly SampledPicture[],
): readonly PlannedFrame[] {
  const stamps_s = Float64Array.from(extracted, ({ time_s }) => time_s);
  const planAll = () => planFrames(stamps_s, needs).map((one) => ({ ...one, row: extracted[one.row].index }));
  return (plan ?? planAll()).slice(from);
}

/** A decode request that is being delivered batch by batch. */
interface OpenStream {
  readonly stream: number;
  /** Number of frames delivered. */
  at: number;
  readonly frames: AsyncGenerator<FrameOutcome, void, undefined>;
}

/** The open stream. There is at most one, so that a video file has one user at a time. */
let current: OpenStream | null = null;

const currentStream = (): OpenStream | null => current;

async function startStream(next: OpenStream): Promise<OpenStream> {
  await closeStream();
  current = next;
  return next;
}

/**
 * Closes the stream of decoded frames that is open, if there is one; must be called before anything else uses video
 * files.
 */
export async function closeStream(): Promise<void> {
  const closing = current;
  current = null;
  await closing?.frames.return();
}

import type { KeptPicture } from '#core/episode';
import type { DecodedFrame, FrameOutcome, PlannedFrame } from '../../media-port.ts';
import { planFrames } from '../../plan-frames.ts';
import type { Batch, BatchRequest } from '../../protocol.ts';
import { inside } from '../inside.ts';
import { Unshown } from '../shown-frame.ts';
import { keptFrames } from './kept-frames.ts';
import { pictureFiles } from './picture-files.ts';

/** A batch is handed over when its pictures weigh so much, or when there are so many of them. */
const batchBytes = 8 * 2 ** 20;
const batchFrames = 32;

/** The next frames of a request. */
export async function nextBatch(request: BatchRequest): Promise<Batch> {
  try {
    const frames: FrameOutcome[] = [];
    const under = await goOn(request);
    for (let bytes = 0; bytes < batchBytes && frames.length < batchFrames; ) {
      const { value, done } = await under.frames.next();
      if (done === true) {
        await leaveStream();
        return { frames, done: true, reason: null };
      }
      frames.push(value);
      bytes += 'pictures' in value ? weightOf(value) : 0;
    }
    under.at += frames.length;
    return { frames, done: false, reason: null };
  } catch (thrown) {
    await leaveStream();
    if (thrown instanceof Unshown) return { frames: [], done: true, reason: thrown.message };
    throw thrown;
  }
}

function weightOf({ pictures, distances }: DecodedFrame): number {
  const own = distances?.values.byteLength ?? 0;
  return pictures.reduce((sum, one) => sum + (one?.rgb.length ?? 0), own);
}

async function goOn(request: BatchRequest): Promise<CurrentStream> {
  const { stream, from } = request;
  const current = currentStream();
  if (current?.stream === stream && current.at === from) return current;
  return enterStream({ stream, at: from, frames: openFrames(request) });
}

/** Decodes the frames of a request one after the other, from where it is. Throws Unshown where none can be. */
async function* openFrames(request: BatchRequest): AsyncGenerator<FrameOutcome, void, undefined> {
  const { locator } = request.frames;
  switch (locator.type) {
    case 'missing':
      throw new Unshown(locator.reason);
    case 'video': {
      if (request.distances === true) throw new Unshown('distances are not read out of video');
      const path = inside(request.root, locator.path);
      if (path === null) throw new Unshown(`there is no file ${locator.path}`);
      const { videoFrames } = await import('./video-frames.ts');
      return yield* videoFrames(path, locator, request);
    }
    case 'image-files':
      return yield* pictureFiles(locator.paths, planOfFiles(request, locator.paths.length), request);
    case 'embedded': {
      const { kept = [] } = request.frames;
      return yield* keptFrames(locator.encoding, kept, planOfKept(request, kept), request);
    }
  }
}

/** By the stamps of the stream, else by its rate. */
function planOfFiles(request: BatchRequest, count: number): readonly PlannedFrame[] {
  const { stamps_s, declared_rate_hz, wishes, from } = request;
  const rate_hz = declared_rate_hz ?? 1;
  const times_s = stamps_s?.subarray(0, count) ?? Float64Array.from({ length: count }, (_, i) => i / rate_hz);
  return planFrames(times_s, wishes).slice(from);
}

function planOfKept(
  { plan, wishes, from }: BatchRequest,
  kept: readonly KeptPicture[],
): readonly PlannedFrame[] {
  const stamps_s = Float64Array.from(kept, ({ time_s }) => time_s);
  const own = () => planFrames(stamps_s, wishes).map((one) => ({ ...one, row: kept[one.row].index }));
  return (plan ?? own()).slice(from);
}

/** A request whose frames are given batch by batch. */
interface CurrentStream {
  readonly stream: number;
  /** Frames that were given. */
  at: number;
  readonly frames: AsyncGenerator<FrameOutcome, void, undefined>;
}

/** Only the last one is kept, so that a file is used by one at a time. */
let current: CurrentStream | null = null;

const currentStream = (): CurrentStream | null => current;

async function enterStream(next: CurrentStream): Promise<CurrentStream> {
  await leaveStream();
  current = next;
  return next;
}

/** To be called before anything else uses files. */
export async function leaveStream(): Promise<void> {
  const left = current;
  current = null;
  await left?.frames.return();
}

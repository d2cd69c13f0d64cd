import type { DecodedFrame, FrameOutcome } from '../../media-port.ts';
import type { Batch, BatchRequest } from '../../protocol.ts';
import { Unshown } from '../shown-frame.ts';
import { type CurrentStream, currentStream, enterStream, leaveStream } from './current-stream.ts';
import { openFrames } from './open-frames.ts';

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

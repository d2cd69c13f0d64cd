import type { FrameBatch, LaneFrame } from '../lane.ts';
import type { CameraNotes } from '../pictures/camera-notes.ts';

interface Span {
  readonly from_s: number;
  readonly to_s: number;
}

/** Windows in order, gaps between them or not, each with the frames of it; no more of a recording is held than those of one window. */
export async function* framesByWindow<Window extends Span>(
  windows: readonly Window[],
  batches: AsyncIterable<FrameBatch>,
  notes: CameraNotes,
): AsyncGenerator<{ readonly window: Window; readonly frames: readonly LaneFrame[] }> {
  let at = 0;
  let own: LaneFrame[] = [];
  for await (const batch of batches) {
    notes.add(batch);
    for (const frame of batch.frames) {
      while (at < windows.length - 1 && frame.time_s >= windows[at].to_s) {
        yield { window: windows[at++], frames: own };
        own = [];
      }
      const window = windows[at];
      if (window !== undefined && isWithin(window, frame.time_s)) own.push(frame);
    }
  }
  for (; at < windows.length; at++) {
    yield { window: windows[at], frames: own };
    own = [];
  }
}

/** A camera may begin a little before what a window is told by. */
const slack = 0.05;

const isWithin = ({ from_s, to_s }: Span, time_s: number): boolean =>
  time_s >= from_s - slack * (to_s - from_s) && time_s <= to_s;

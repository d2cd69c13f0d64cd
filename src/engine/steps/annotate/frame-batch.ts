import type { FrameBatch, LaneFrame, MissingFrame } from '#labels/annotation';
import type { FedFrames } from './episode-frames.ts';

/** What of some frames is for one lane; null: nothing. */
export function frameBatch(
  { camera, lanes, frames, unreadable }: FedFrames,
  lane: number,
): FrameBatch | null {
  const wish = lanes.indexOf(lane);
  if (wish < 0) return null;
  const own: LaneFrame[] = [];
  const missing: MissingFrame[] = [];
  for (const frame of frames) {
    const { row, time_s } = frame;
    if ('reason' in frame) {
      if (frame.wishes.includes(wish)) missing.push({ camera, row, time_s, reason: frame.reason });
      continue;
    }
    const picture = frame.pictures[wish];
    if (picture !== null) own.push({ camera, row, time_s, ...picture });
  }
  if (own.length === 0 && missing.length === 0 && unreadable === null) return null;
  return { camera, frames: own, missing, unreadable };
}

import type { FrameBatch, LaneFrame } from '../lane.ts';
import type { CameraNotes } from '../pictures/camera-notes.ts';

/** Times that divide an extent evenly, each in the middle of its share. */
export const evenTimes = (from_s: number, to_s: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from_s + ((i + 0.5) / count) * (to_s - from_s));

/** For each of some times in order the first frame from then on, each frame once. */
export async function framesNear(
  times_s: readonly number[],
  batches: AsyncIterable<FrameBatch>,
  notes: CameraNotes,
): Promise<LaneFrame[]> {
  const found: LaneFrame[] = [];
  let last: LaneFrame | null = null;
  let at = 0;
  for await (const batch of batches) {
    notes.add(batch);
    for (const frame of batch.frames) {
      last = frame;
      if (at >= times_s.length || frame.time_s < times_s[at]) continue;
      found.push(frame);
      while (at < times_s.length && times_s[at] <= frame.time_s) at++;
    }
  }
  if (found.length === 0 && last !== null) found.push(last);
  return found;
}

import type { FrameBatch, LaneFrame } from '../lane.ts';

/** Times that divide an extent evenly, each in the middle of its share. */
export const evenTimes = (from_s: number, to_s: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from_s + ((i + 0.5) / count) * (to_s - from_s));

/** Keeps for each of some times in order the first frame from then on, each frame once; the last one where all are earlier. */
export class NearFrames {
  readonly #times_s: readonly number[];
  readonly #found: LaneFrame[] = [];
  #last: LaneFrame | null = null;
  #at = 0;

  constructor(times_s: readonly number[]) {
    this.#times_s = times_s;
  }

  get found(): readonly LaneFrame[] {
    return this.#found.length > 0 || this.#last === null ? this.#found : [this.#last];
  }

  /** The same frames, looked at on their way. */
  async *passing(batches: AsyncIterable<FrameBatch>): AsyncGenerator<FrameBatch> {
    for await (const batch of batches) {
      for (const frame of batch.frames) this.#add(frame);
      yield batch;
    }
  }

  #add(frame: LaneFrame): void {
    this.#last = frame;
    if (this.#at >= this.#times_s.length || frame.time_s < this.#times_s[this.#at]) return;
    this.#found.push(frame);
    while (this.#at < this.#times_s.length && this.#times_s[this.#at] <= frame.time_s) this.#at++;
  }
}

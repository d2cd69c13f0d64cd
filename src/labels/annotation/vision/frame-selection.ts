import { AssayError, type JsonObject } from '#core';
import { type FrameBatch, type LaneFrame, roundToMicroseconds } from '../lane.ts';

/** Returns `count` times evenly spread over a range, each in the middle of its share. */
export const evenTimes = (from_s: number, to_s: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from_s + ((i + 0.5) / count) * (to_s - from_s));

/**
 * Selects for each of some ascending times the first frame at or after it, each frame once; the last frame if all are
 * earlier.
 */
export class FrameSampler {
  readonly #times_s: readonly number[];
  readonly #found: LaneFrame[] = [];
  #last: LaneFrame | null = null;
  #at = 0;

  constructor(times_s: readonly number[]) {
    this.#times_s = times_s;
  }

  /** Frames selected so far. */
  get found(): readonly LaneFrame[] {
    return this.#found.length > 0 || this.#last === null ? this.#found : [this.#last];
  }

  /** Yields the batches unchanged and selects frames from them. */
  async *collectFrom(batches: AsyncIterable<FrameBatch>): AsyncGenerator<FrameBatch> {
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

interface Span {
  readonly from_s: number;
  readonly to_s: number;
}

/**
 * Yields each window with its frames (perhaps none), in order, and adds every batch to `notes`; frames outside the
 * windows are dropped. Only the frames of one window are in memory.
 */
export async function* framesByWindow<Window extends Span>(
  windows: readonly Window[],
  batches: AsyncIterable<FrameBatch>,
  notes: CameraNotes,
): AsyncGenerator<{ readonly window: Window; readonly frames: readonly LaneFrame[] }> {
  let at = 0;
  let windowFrames: LaneFrame[] = [];
  for await (const batch of batches) {
    notes.add(batch);
    for (const frame of batch.frames) {
      while (at < windows.length - 1 && frame.time_s >= windows[at].to_s) {
        yield { window: windows[at++], frames: windowFrames };
        windowFrames = [];
      }
      const window = windows[at];
      if (window !== undefined && isInWindow(window, frame.time_s)) windowFrames.push(frame);
    }
  }
  for (; at < windows.length; at++) {
    yield { window: windows[at], frames: windowFrames };
    windowFrames = [];
  }
}

/** Tolerance before the start of a window, as a fraction of its length, because cameras may start late. */
const startTolerance = 0.05;

const isInWindow = ({ from_s, to_s }: Span, time_s: number): boolean =>
  time_s >= from_s - startTolerance * (to_s - from_s) && time_s <= to_s;

/** Longer side of frames sent to a vision model, in px. */
export const sentFrame_px = 512;

/** Returns frames as question content, each preceded by its time. */
export const toQuestionContent = (frames: readonly LaneFrame[]): (string | LaneFrame)[] =>
  frames.flatMap((frame, at) => [`Frame ${at + 1}, at ${frame.time_s.toFixed(2)} s:`, frame]);

/** Estimated tokens per frame of that size; higher than typical models use. */
export const planned_frame_tokens = 500;

interface CameraNote {
  frames: number;
  readonly missing: JsonObject[];
  unreadable: string | null;
}

/** Records how many frames of each camera were available, and which were missing. */
export class CameraNotes {
  readonly #cameras = new Map<string, CameraNote>();
  #latest: string | null = null;

  /**
   * Adds a batch, and returns true if it breaks the sequence: it is of another camera than the previous batch, or
   * frames are missing.
   */
  add({ camera, frames, missing, unreadable }: FrameBatch): boolean {
    const own = this.#cameras.get(camera) ?? { frames: 0, missing: [], unreadable: null };
    this.#cameras.set(camera, own);
    own.frames += frames.length;
    own.unreadable ??= unreadable;
    for (const { row, time_s, reason } of missing)
      own.missing.push({ row, time_s: roundToMicroseconds(time_s), reason });
    const isOther = this.#latest !== camera;
    this.#latest = camera;
    return isOther || missing.length > 0;
  }

  /** Throws `unreadable_input` with the first reason if no camera gave a frame. */
  requireFrames(): void {
    const all = [...this.#cameras.values()];
    if (all.some(({ frames }) => frames > 0)) return;
    const why = all.flatMap(({ unreadable, missing }) => unreadable ?? String(missing[0]?.reason ?? ''))[0];
    throw new AssayError('unreadable_input', `no frames: ${why || 'no camera has frames'}`);
  }

  /**
   * Returns the artifact entries of the cameras: number of frames, missing frames and the reason if it is unreadable.
   */
  json(): JsonObject[] {
    return [...this.#cameras].map(([camera, { frames, missing, unreadable }]) => ({
      ...{ camera, frames, missing, unreadable },
    }));
  }
}

import { AssayError, type JsonObject } from '#core';
import type { FrameBatch } from '../lane.ts';
import { micro } from '../micro.ts';

interface Notes {
  frames: number;
  readonly missing: JsonObject[];
  unreadable: string | null;
}

/** What a lane could see of each camera. */
export class CameraNotes {
  readonly #cameras = new Map<string, Notes>();
  #latest: string | null = null;

  /** Whether the batch is of another camera than the one before, or frames are missing in it. */
  add({ camera, frames, missing, unreadable }: FrameBatch): boolean {
    const own = this.#cameras.get(camera) ?? { frames: 0, missing: [], unreadable: null };
    this.#cameras.set(camera, own);
    own.frames += frames.length;
    own.unreadable ??= unreadable;
    for (const { row, time_s, reason } of missing) own.missing.push({ row, time_s: micro(time_s), reason });
    const isOther = this.#latest !== camera;
    this.#latest = camera;
    return isOther || missing.length > 0;
  }

  /** Throws `unreadable_input` where no camera gave a frame. */
  demandFrames(): void {
    const all = [...this.#cameras.values()];
    if (all.some(({ frames }) => frames > 0)) return;
    const why = all.flatMap(({ unreadable, missing }) => unreadable ?? String(missing[0]?.reason ?? ''))[0];
    throw new AssayError(
      'unreadable_input',
      `there is no picture to look at: ${why || 'no camera has a frame'}`,
    );
  }

  json(): JsonObject[] {
    return [...this.#cameras].map(([camera, { frames, missing, unreadable }]) => ({
      ...{ camera, frames, missing, unreadable },
    }));
  }
}

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { FileWindow } from '#io/sources';
import { mp4Times } from '../../../videos/mp4-times.ts';

/** When the frames of a video are shown, by its container. */
export interface VideoFact {
  readonly frames: number;
  /** Seconds, ascending. */
  readonly time_s: Float64Array;
}

/** Reads each video's header once. */
export class VideoFacts {
  readonly #root: string;
  readonly #paths: ReadonlySet<string>;
  readonly #known = new Map<string, Promise<VideoFact | null>>();

  constructor(root: string, paths: readonly string[]) {
    this.#root = root;
    this.#paths = new Set(paths);
  }

  /** Null where the file is not there, is cut off or is no MP4. */
  of(path: string): Promise<VideoFact | null> {
    const known = this.#known.get(path) ?? this.#read(path).catch(() => null);
    this.#known.set(path, known);
    return known;
  }

  /** What a video that is written again will say. */
  will(path: string, frames: number, rate_hz: number): void {
    const time_s = Float64Array.from({ length: frames }, (_, frame) => frame / rate_hz);
    this.#known.set(path, Promise.resolve({ frames, time_s }));
  }

  async #read(path: string): Promise<VideoFact | null> {
    if (!this.#paths.has(path)) return null;
    const file = await open(join(this.#root, path), 'r');
    try {
      const { size } = await file.stat();
      const { time_s, missing_bytes } = await mp4Times(new FileWindow(file, size));
      return missing_bytes > 0 ? null : { frames: time_s.length, time_s };
    } finally {
      await file.close();
    }
  }
}

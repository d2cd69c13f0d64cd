import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError } from '#core';
import {
  evenSize,
  FrameScaler,
  openVideoWriter,
  type RgbFrame,
  rgbToYuv420,
  type VideoWriter,
} from '#io/video';
import type { EncodedCodec, VideoPlacement } from './layouts/layout.ts';
import { PictureSamples } from './picture-samples.ts';
import type { CameraStatistics } from './statistics.ts';

/** Options for encoding a camera. */
export interface EncodedVideosOptions {
  readonly folder: string;
  readonly rate_hz: number;
  readonly codec: EncodedCodec;
  /** Target size; undefined if all pictures have one size already. */
  readonly size?: readonly [width_px: number, height_px: number];
  /** A file ends after the episode that exceeds this size. */
  readonly file_bytes: number;
  /** Returns the number of the file to begin; called once per file. */
  readonly nextFile: () => number;
  /** Returns the path of a video file in the set. */
  readonly pathOf: (file: number) => string;
  readonly signal: AbortSignal;
  /** Called every 16 frames. */
  readonly onStep: () => void;
}

/** Pictures of an episode, one per row; null for a missing picture. */
export interface EpisodeFrames {
  readonly id: string;
  readonly rows: number;
  readonly frames: AsyncIterable<RgbFrame | null>;
}

/** Constant rate factors with visually lossless quality. */
const constantRateFactors = { h264: 18, h265: 20, av1: 24 } as const;

/** Encodes one camera into video files, episode by episode. */
export class EncodedVideos {
  readonly #key: string;
  readonly #options: EncodedVideosOptions;
  readonly #scaler: FrameScaler | null;
  /** Size of the written pictures; null before the first. */
  size: readonly [width: number, height: number] | null = null;
  #writer: VideoWriter | null = null;
  #path = '';
  #file = -1;

  constructor(key: string, options: EncodedVideosOptions) {
    this.#key = key;
    this.#options = options;
    this.#scaler = options.size === undefined ? null : new FrameScaler(options.size);
  }

  /**
   * Encodes the frames of an episode at the end of the open file, or of a new one, and returns their location and
   * statistics. Throws `usage` if a picture is missing or has another size.
   */
  async add({ id, rows, frames }: EpisodeFrames): Promise<VideoPlacement & { statistics: CameraStatistics }> {
    const { rate_hz, signal, onStep } = this.#options;
    const samples = new PictureSamples(rows);
    let before = 0;
    let row = 0;
    for await (const source of frames) {
      signal.throwIfAborted();
      if (source === null) throw this.#createUnfitError(id, `row ${row} has no frame`);
      const frame = (await this.#scaler?.scale(source)) ?? source;
      const writer = await this.#writerFor(frame, id);
      if (row === 0) before = writer.frames;
      samples.offer(row, frame);
      await writer.write(rgbToYuv420(frame));
      if (row++ % 16 === 0) onStep();
    }
    const [from_s, to_s] = [before / rate_hz, (before + row) / rate_hz];
    const file = this.#file;
    if ((await stat(this.#path)).size > this.#options.file_bytes) await this.#end();
    return { file, from_s, to_s, hidden_frames: 0, statistics: samples.result() };
  }

  /** Closes the open file, if any; the next episode begins another. */
  async close(): Promise<void> {
    this.#scaler?.close();
    await this.#end();
  }

  async #end(): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    await writer?.close();
  }

  async #writerFor(frame: RgbFrame, id: string): Promise<VideoWriter> {
    const [width_px, height_px] = evenSize(frame);
    this.size ??= [width_px, height_px];
    if (this.size[0] !== width_px || this.size[1] !== height_px)
      throw this.#createUnfitError(
        id,
        `its frames are ${width_px}x${height_px} px, but earlier ones are ${this.size.join('x')} px`,
      );
    if (this.#writer !== null) return this.#writer;
    const { folder, pathOf, nextFile, rate_hz, codec } = this.#options;
    this.#file = nextFile();
    this.#path = join(folder, pathOf(this.#file));
    await mkdir(dirname(this.#path), { recursive: true });
    const settings = { width_px, height_px, rate_hz, codec, quality: constantRateFactors[codec] };
    this.#writer = await openVideoWriter(this.#path, settings);
    return this.#writer;
  }

  #createUnfitError(id: string, what: string): AssayError {
    return new AssayError('usage', `cannot write ${this.#key} of ${id}: ${what}`, {
      advice: `exclude it with --without ${id}`,
    });
  }
}

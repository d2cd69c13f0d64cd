import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError } from '#core';
import type { RgbFrame } from '#io/video';
import { evenSize, FrameScaler, openVideoWriter, rgbToYuv420, type VideoWriter } from '#io/video';
import type { EncodeEdit } from '../../../shared/write/edits/export-edit.ts';
import type { PlacedVideo } from '../kept-episode.ts';
import { PictureSamples } from '../statistics/picture-samples.ts';
import type { CameraStatistics } from '../statistics/statistics.ts';

export type EncodedCodec = NonNullable<EncodeEdit['codec']>;

export interface EncodedVideosOptions {
  readonly folder: string;
  readonly rate_hz: number;
  readonly codec: EncodedCodec;
  /** Pictures of another size are scaled to it; absent: all have one size. */
  readonly size?: readonly [width_px: number, height_px: number];
  /** A file ends with the episode that passes this. */
  readonly file_bytes: number;
  /** Number of the file that is begun next, and where it lies, relative to the set. */
  readonly nextFile: () => number;
  readonly pathOf: (file: number) => string;
  readonly signal: AbortSignal;
  readonly onStep: () => void;
}

/** Pictures of an episode, one a row; null: there is none. */
export interface EpisodeFrames {
  readonly id: string;
  readonly rows: number;
  readonly frames: AsyncIterable<RgbFrame | null>;
}

/** Constant rate factors at which a picture is hardly to be told from its source. */
const quality = { h264: 18, h265: 20, av1: 24 } as const;

/** Encodes one camera, episode after episode, into video files. */
export class EncodedVideos {
  readonly #key: string;
  readonly #options: EncodedVideosOptions;
  readonly #scaler: FrameScaler | null;
  /** Of what was written; null: nothing was. */
  size: readonly [width: number, height: number] | null = null;
  #writer: VideoWriter | null = null;
  #path = '';
  #file = -1;

  constructor(key: string, options: EncodedVideosOptions) {
    this.#key = key;
    this.#options = options;
    this.#scaler = options.size === undefined ? null : new FrameScaler(options.size);
  }

  /** Throws `usage` where a picture is missing or of another size. */
  async add({ id, rows, frames }: EpisodeFrames): Promise<PlacedVideo & { statistics: CameraStatistics }> {
    const { rate_hz, signal, onStep } = this.#options;
    const samples = new PictureSamples(rows);
    let before = 0;
    let row = 0;
    for await (const given of frames) {
      signal.throwIfAborted();
      if (given === null) throw this.#unfit(id, `no picture for row ${row}`);
      const frame = (await this.#scaler?.scale(given)) ?? given;
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

  /** Ends the file that is open, if any; the next episode begins another. */
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
      throw this.#unfit(id, `pictures of ${width_px}x${height_px} px beside ${this.size.join('x')}`);
    if (this.#writer !== null) return this.#writer;
    const { folder, pathOf, nextFile, rate_hz, codec } = this.#options;
    this.#file = nextFile();
    this.#path = join(folder, pathOf(this.#file));
    await mkdir(dirname(this.#path), { recursive: true });
    const settings = { width_px, height_px, rate_hz, codec, quality: quality[codec] };
    this.#writer = await openVideoWriter(this.#path, settings);
    return this.#writer;
  }

  #unfit(id: string, what: string): AssayError {
    return new AssayError('usage', `${id} has ${what} of ${this.#key}, which LeRobot cannot hold`, {
      advice: `leave it out with --without ${id}`,
    });
  }
}

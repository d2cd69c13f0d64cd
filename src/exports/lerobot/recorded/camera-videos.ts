import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError } from '#kernel';
import type { ExportEpisode } from '../../set/export-episode.ts';
import { evenSize, rgbToYuv420 } from '../../video/rgb-to-yuv.ts';
import { openVideoWriter, type VideoWriter } from '../../video/writer.ts';
import type { PlacedVideo } from '../kept-episode.ts';
import type { CameraStatistics } from '../statistics.ts';
import { PictureSamples } from './picture-samples.ts';
import type { WrittenCamera } from './recorded-features.ts';

export interface CameraVideosOptions {
  readonly folder: string;
  readonly rate_hz: number;
  /** A file ends with the episode that passes this. */
  readonly file_bytes: number;
  readonly pathOf: (camera: string, file: number) => string;
  readonly signal: AbortSignal;
  readonly onStep: () => void;
}

/** Quality that x264 keeps, as a constant rate factor: hardly to be told from the source. */
const quality = 18;

/** Encodes one camera, episode after episode, into video files. */
export class CameraVideos {
  readonly #key: string;
  readonly #stream: string;
  readonly #options: CameraVideosOptions;
  #size: readonly [width: number, height: number] | null = null;
  #writer: VideoWriter | null = null;
  #path = '';
  #file = -1;

  constructor(key: string, stream: string, options: CameraVideosOptions) {
    this.#key = key;
    this.#stream = stream;
    this.#options = options;
  }

  /** Throws `usage` where a picture is missing or of another size. */
  async add(episode: ExportEpisode): Promise<{ placed: PlacedVideo; statistics: CameraStatistics }> {
    const { rate_hz, signal, onStep } = this.#options;
    const samples = new PictureSamples(episode.rows);
    let before = 0;
    let row = 0;
    for await (const frame of episode.decodedRows(this.#stream)) {
      signal.throwIfAborted();
      if (frame === null) throw this.#unfit(episode, `no picture for row ${row}`);
      const [width, height] = evenSize(frame);
      this.#size ??= [width, height];
      if (this.#size[0] !== width || this.#size[1] !== height)
        throw this.#unfit(episode, `pictures of ${width}x${height} px beside ${this.#size.join('x')}`);
      const writer = await this.#open(width, height);
      if (row === 0) before = writer.frames;
      samples.offer(row, frame);
      await writer.write(rgbToYuv420(frame));
      if (row++ % 16 === 0) onStep();
    }
    const placed = {
      file: this.#file,
      from_s: before / rate_hz,
      to_s: (before + row) / rate_hz,
      hidden_frames: 0,
    };
    if ((await stat(this.#path)).size > this.#options.file_bytes) await this.close();
    return { placed, statistics: samples.result() };
  }

  async finish(): Promise<WrittenCamera> {
    await this.close();
    const [width_px, height_px] = this.#size ?? [0, 0];
    return { key: this.#key, width_px, height_px };
  }

  async #open(width_px: number, height_px: number): Promise<VideoWriter> {
    if (this.#writer !== null) return this.#writer;
    const { folder, pathOf, rate_hz } = this.#options;
    this.#path = join(folder, pathOf(this.#key, ++this.#file));
    await mkdir(dirname(this.#path), { recursive: true });
    this.#writer = await openVideoWriter(this.#path, {
      width_px,
      height_px,
      rate_hz,
      codec: 'h264',
      quality,
    });
    return this.#writer;
  }

  /** Ends the file that is open, if any. */
  async close(): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    await writer?.close();
  }

  #unfit({ episode }: ExportEpisode, what: string): AssayError {
    return new AssayError(
      'usage',
      `${episode.id} has ${what} of ${this.#stream}, which LeRobot cannot hold`,
      {
        advice: `leave it out with --without ${episode.id}`,
      },
    );
  }
}

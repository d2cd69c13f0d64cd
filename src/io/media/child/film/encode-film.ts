import { advance } from '#io/processes';
import { evenSize, FrameScaler, openVideoWriter, rgbToYuv420, type VideoWriter } from '#io/video';
import type { Film, FilmRequest } from '../../film.ts';
import type { RgbPicture } from '../../media-port.ts';
import { Unshown } from '../shown-frame.ts';
import { filmFrames } from './film-frames.ts';

/** Milliseconds: stamps of recordings are not even. */
const ticks_hz = 1000;
/** What the encoder is told where nobody says a rate. */
const usualRate_hz = 30;
/** Frames from one key frame to the next: seeking decodes no more than these. */
const keyframe_every = 15;

/** Decodes a span and writes it as H.264, each frame shown when it was taken. Throws Unshown where nothing decodes. */
export async function encodeFilm(request: FilmRequest): Promise<Omit<Film, 'cpu_s'>> {
  const film = new Encoding(request);
  let undecoded = 0;
  let reason = 'no frame of it lies there';
  try {
    for await (const outcome of filmFrames(request)) {
      advance();
      const picture = 'pictures' in outcome ? outcome.pictures[0] : null;
      if (picture !== null) await film.add(picture, outcome.time_s);
      else {
        undecoded++;
        if ('reason' in outcome) reason = outcome.reason;
      }
    }
  } finally {
    await film.close();
  }
  const { writer, starts_s, size_px } = film;
  if (writer === null) throw new Unshown(reason);
  const mime = writer.mime ?? 'video/mp4';
  return { starts_s, frames: writer.frames, undecoded, made: 'encoded', mime, size_px };
}

class Encoding {
  writer: VideoWriter | null = null;
  starts_s = 0;
  size_px: readonly [width: number, height: number] = [0, 0];
  readonly #request: FilmRequest;
  #scaler: FrameScaler | null = null;
  #tick = -1;

  constructor(request: FilmRequest) {
    this.#request = request;
  }

  async add(picture: RgbPicture, time_s: number): Promise<void> {
    this.writer ??= await this.#open(picture, time_s);
    const scaled = await this.#scaler!.scale(picture);
    // Frames of one stamp, or of stamps that run backwards, follow each other all the same.
    this.#tick = Math.max(this.#tick + 1, Math.round((time_s - this.starts_s) * ticks_hz));
    await this.writer.write(rgbToYuv420(scaled), this.#tick);
  }

  async close(): Promise<void> {
    this.#scaler?.close();
    await this.writer?.close();
  }

  async #open(picture: RgbPicture, time_s: number): Promise<VideoWriter> {
    const { declared_rate_hz, target } = this.#request;
    const [width, height] = evenSize(picture).map((side) => Math.max(2, side));
    this.size_px = [width, height];
    this.starts_s = time_s;
    this.#scaler = new FrameScaler(this.size_px);
    const rate_hz = Math.min(240, Math.max(1, Math.round(declared_rate_hz ?? usualRate_hz)));
    const settings = { width_px: width, height_px: height, rate_hz, ticks_hz, keyframe_every };
    return openVideoWriter(target, settings);
  }
}

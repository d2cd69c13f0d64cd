import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Picture } from '../../src/apps/samples/picture.ts';
import { type Encoding, encodeVideo } from '../support/encode-video.ts';
import type { Recording } from './recording.ts';
import { draw, groundsOf, pictureSize } from './scene.ts';
import { type Shot, shotKey } from './shot.ts';

/** A video as it will be written: its shots, and how they are encoded where not as usual. */
export interface Film {
  readonly shots: readonly Shot[];
  readonly encoding: Partial<Encoding> | undefined;
  /** Image size in px, if it differs from the declared one. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** H.264 with a key frame every two frames: sound for every decoder, and quick to make. */
const usual: Encoding = {
  encoder: 'libx264',
  container: 'mp4',
  keyframe_every: 2,
  options: { crf: '26', preset: 'ultrafast' },
};

/** Draws shots of one recording and encodes films of them; each shot and each film once. */
export class Studio {
  readonly #recording: Recording;
  readonly #grounds: (readonly Picture[])[] = [];
  readonly #pictures = new Map<string, Uint8Array>();
  readonly #films = new Map<string, Promise<Uint8Array>>();

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** Planar YUV 4:2:0. */
  picture(shot: Shot): Uint8Array {
    const key = shotKey(shot);
    let bytes = this.#pictures.get(key);
    if (bytes === undefined) {
      const picture = new Picture(pictureSize.width, pictureSize.height);
      const { takes, fps } = this.#recording;
      const scene = shot.scene ?? 0;
      this.#grounds[scene] ??= groundsOf(this.#recording.seed, scene);
      draw(picture, this.#grounds[scene][shot.camera], takes[shot.take], shot.row / fps, shot);
      bytes = picture.bytes;
      this.#pictures.set(key, bytes);
    }
    return bytes;
  }

  /** The bytes of the film's file. */
  film(film: Film): Promise<Uint8Array> {
    const key = JSON.stringify([film.encoding, film.size, film.shots.map(shotKey)]);
    const bytes = this.#films.get(key) ?? this.#encode(film);
    this.#films.set(key, bytes);
    return bytes;
  }

  async #encode({ shots, encoding, size = pictureSize }: Film): Promise<Uint8Array> {
    const folder = await mkdtemp(join(tmpdir(), 'assay-film-'));
    const path = join(folder, 'film.mp4');
    const frames = shots.map((shot) => scaled(this.picture(shot), size));
    const settings = { ...usual, rate_hz: this.#recording.fps, ...encoding };
    await encodeVideo(path, size.width, size.height, frames, settings);
    const bytes = await readFile(path);
    await rm(folder, { recursive: true });
    return bytes;
  }
}

/** Nearest neighbour; a picture of the usual size as it is. */
function scaled(picture: Uint8Array, size: { readonly width: number; readonly height: number }): Uint8Array {
  const { width, height } = pictureSize;
  if (size.width === width && size.height === height) return picture;
  const out = new Uint8Array((size.width * size.height * 3) / 2);
  const plane = (from: number, fromWidth: number, fromHeight: number, to: number, w: number, h: number) => {
    for (let y = 0; y < h; y++) {
      const row = from + Math.floor((y * fromHeight) / h) * fromWidth;
      for (let x = 0; x < w; x++) out[to + y * w + x] = picture[row + Math.floor((x * fromWidth) / w)];
    }
  };
  const luma = width * height;
  const newLuma = size.width * size.height;
  plane(0, width, height, 0, size.width, size.height);
  plane(luma, width / 2, height / 2, newLuma, size.width / 2, size.height / 2);
  plane(luma * 1.25, width / 2, height / 2, newLuma * 1.25, size.width / 2, size.height / 2);
  return out;
}

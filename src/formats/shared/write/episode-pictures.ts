import { AssayError } from '#core';
import { type PictureEncoding, pictureFormat } from '#core/episode';
import type { RgbFrame } from '#io/video';
import { toSafeName } from './output-files.ts';
import type { ExportEpisode } from './set/export-episode.ts';
import type { SetPlan } from './set/plan-set.ts';

/** A picture to be written to a set of pictures. */
export interface ExportPicture {
  /** File name, unique in the set. */
  readonly name: string;
  readonly file: PictureFile;
  readonly camera: string;
  /** Stream id of the camera in the source. */
  readonly stream: string;
  /** Index in the stream. */
  readonly index: number;
  /** Seconds since the start of the episode; `null` if unknown. */
  readonly time_s: number | null;
}

/**
 * Yields a named file for every picture of every camera of an episode, at most at the requested rate; missing pictures
 * are skipped.
 */
export async function* episodePictures(episode: ExportEpisode, plan: SetPlan): AsyncGenerator<ExportPicture> {
  const isLone = episode.episode.clockless === undefined && episode.episode.duration_s === 0;
  for (const { key, stream } of plan.cameras) {
    const { time_s, indices } = episode.selectPictures(stream);
    let row = 0;
    for await (const file of pictureRows(episode, stream, indices)) {
      const pictureIndex = indices[row];
      const time = time_s[row++];
      if (file === null) continue;
      const number = pad(episode.index);
      const name = isLone ? `${number}_${stem(episode.episode.id)}` : `${number}_${pad(pictureIndex)}_${key}`;
      yield {
        name: `${name}.${file.extension}`,
        file,
        ...{ camera: key, stream },
        index: pictureIndex,
        time_s: Number.isNaN(time) ? null : time,
      };
    }
  }
}

const pad = (number: number): string => String(number).padStart(6, '0');

/** Returns the last part of a path without its extension, as a safe name. */
function stem(id: string): string {
  return toSafeName((id.split('/').at(-1) ?? id).replace(/\.[A-Za-z0-9]+$/, ''));
}

/** Returns the split that the source declares for an episode, as a safe file name; `train` by default. */
export function episodeSplit({ episode }: ExportEpisode): string {
  return toSafeName(episode.split ?? 'train');
}

const extensionByEncoding: Readonly<Partial<Record<PictureEncoding, PictureFile['extension']>>> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
};
const extensionByFormat = { JPEG: 'jpg', PNG: 'png', WebP: 'webp' } as const;

/**
 * Yields a picture file for each index, in order, `null` for index −1; throws `unreadable_input` if a picture is
 * missing or invalid. JPEG, PNG and WebP are copied unchanged; video becomes JPEG and raw pixels PNG.
 */
export async function* pictureRows(
  episode: ExportEpisode,
  stream: string,
  indices: Int32Array = episode.pictureIndices(stream),
): AsyncGenerator<PictureFile | null> {
  const { coding } = episode.pictures(stream);
  if (extensionByEncoding[coding as PictureEncoding] !== undefined)
    return yield* recordedRows(episode, stream, indices);
  let lastFrame: RgbFrame | null = null;
  let file: PictureFile | null = null;
  for await (const frame of episode.decodedRows(stream, indices)) {
    if (frame !== lastFrame)
      file = frame === null ? null : await encodePicture(frame, coding === 'raw' ? 'png' : 'jpg');
    lastFrame = frame;
    yield file;
  }
}

async function* recordedRows(
  episode: ExportEpisode,
  stream: string,
  indices: Int32Array,
): AsyncGenerator<PictureFile | null> {
  const pictures = episode.pictures(stream).recorded()[Symbol.asyncIterator]();
  let at = -1;
  let file: PictureFile | null = null;
  try {
    for (const index of indices) {
      while (at < index) {
        const { value, done } = await pictures.next();
        if (done === true) throw missingPictureError(episode, stream, index);
        at = value.index;
        file = at === index ? pictureFile(value.bytes, `image ${index} of ${stream}`) : null;
      }
      if (index >= 0 && at !== index) throw missingPictureError(episode, stream, index);
      yield index < 0 ? null : file;
    }
  } finally {
    await pictures.return?.();
  }
}

function pictureFile(bytes: Uint8Array, what: string): PictureFile {
  const format = pictureFormat(bytes);
  if (format === 'JPEG' || format === 'PNG' || format === 'WebP')
    return { bytes, extension: extensionByFormat[format] };
  throw new AssayError('unreadable_input', `${what} is not a JPEG, PNG or WebP image`, {
    advice: 'exclude the episode with --without',
  });
}

function missingPictureError({ episode }: ExportEpisode, stream: string, index: number): AssayError {
  return new AssayError(
    'unreadable_input',
    `${episode.id}: image ${index} of ${stream} is missing; it existed when the recording was assessed`,
    {
      advice: 'restore the recording from its source, or exclude the episode with --without',
    },
  );
}

/** An encoded picture file. */
export interface PictureFile {
  readonly bytes: Uint8Array;
  readonly extension: 'jpg' | 'png' | 'webp';
}

/** JPEG quality for pictures decoded from video. */
const jpegQuality = 95;

/** Encodes a decoded picture as JPEG (quality 95, 4:4:4) or as lossless PNG. */
export async function encodePicture(
  { rgb, width_px, height_px }: RgbFrame,
  extension: 'jpg' | 'png',
): Promise<PictureFile> {
  const { default: sharp } = await import('sharp');
  const picture = sharp(rgb, { raw: { width: width_px, height: height_px, channels: 3 } });
  const encoded =
    extension === 'png'
      ? picture.png({ compressionLevel: 6 })
      : picture.jpeg({ quality: jpegQuality, chromaSubsampling: '4:4:4' });
  return { bytes: await encoded.toBuffer(), extension };
}

/** Returns the stored width and height from the header of a picture file; throws `unreadable_input` if it has none. */
export async function pictureSize(
  bytes: Uint8Array,
  name: string,
): Promise<readonly [width: number, height: number]> {
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(bytes)
    .metadata()
    .catch(() => ({ width: 0, height: 0 }));
  if (width > 0 && height > 0) return [width, height];
  throw new AssayError('unreadable_input', `${name}: cannot determine the image size`, {
    advice: 'exclude its episode with --without',
  });
}

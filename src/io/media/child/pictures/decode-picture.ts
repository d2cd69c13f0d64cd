import { limits, messageOf } from '#core';
import { type PictureFormat, pictureFormat } from '#core/episode';
import { type Luma, reducedWidth } from '../luma.ts';
import { isOfThisMachine } from '../of-this-machine.ts';
import { sharp } from './sharp.ts';
import type { JpegSource } from './to-jpeg.ts';

export interface Picture {
  /** Reduced to at most 320 px wide. */
  readonly luma: Luma;
  readonly format: string;
  readonly width_px: number;
  readonly height_px: number;
  /** `3 x uchar`, as the decoder names it. */
  readonly pixel_format: string;
  /** Degrees clockwise to upright, from EXIF; mirrored orientations count as their turn. */
  readonly rotation_deg: number;
  /** What is wrong with pixels that were decoded all the same; null when nothing is. */
  readonly damage: string | null;
}

/** A picture decoded, and what it can be shown from. */
export interface ReadPicture {
  readonly picture: Picture;
  readonly source: JpegSource;
}

/** Why a picture cannot be decoded. */
export class NotPicture extends Error {}

/** A picture nobody here decodes, which says nothing about the picture. */
export class Unsupported extends NotPicture {}

/** As many pixels as Pillow allows before it speaks of a decompression bomb (twice its MAX_IMAGE_PIXELS). */
export const mostPixels: number = limits.recordings.picture_pixels.value;

/** libjpeg speaks of stray bytes between segments, which harm no pixel, as of damage. */
const harmless = /^(Corrupt JPEG data: \d+ extraneous bytes before marker|Invalid SOS parameters)/;
/** The file ends early: what is missing was not recorded. */
const truncated = /premature end of JPEG image|unexpected end|end of file|read error/i;

const turns: Readonly<Record<number, number>> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 };

/**
 * Deep grey pictures (16 bits, depth) are brought to 8 bits by `scale`, one for all pictures of a camera.
 *
 * Decodes a whole picture file held in memory. JPEGs are reduced while decoding, which skips the arithmetic of the
 * pixels and not the reading of the data: a truncated or damaged file is found as in full decoding, since every
 * warning of the decoder is taken seriously first. Throws NotPicture.
 */
export async function decodePicture(bytes: Uint8Array, scale: LumaScale = new DeepScale()): Promise<Picture> {
  const format = pictureFormat(bytes);
  if (format === null) throw new NotPicture('the first bytes are those of no picture format known here');
  if (decoderOf(format) !== 'sharp') throw new Unsupported(`${format} pictures are not decoded here`);
  const facts = await sharp(bytes, { limitInputPixels: false }).metadata().catch(refuse(format));
  if (facts.width * facts.height > mostPixels) {
    const size = `${facts.width}x${facts.height}`;
    throw new NotPicture(`${size} pixels pass the limit of ${mostPixels}: taken for a decompression bomb`);
  }
  const deep = facts.channels === 1 && facts.depth === 'ushort' ? scale : null;
  const { luma, damage } = await pixels(bytes, format, deep);
  return {
    luma,
    format: facts.format ?? format.toLowerCase(),
    width_px: facts.width,
    height_px: facts.height,
    pixel_format: `${facts.channels} x ${facts.depth}`,
    rotation_deg: turns[facts.orientation ?? 1] ?? 0,
    damage,
  };
}

async function pixels(
  bytes: Uint8Array,
  format: string,
  deep: LumaScale | null,
): Promise<{ luma: Luma; damage: string | null }> {
  try {
    return { luma: await reducedLuma(bytes, 'warning', deep), damage: null };
  } catch (thrown) {
    if (isOfThisMachine(thrown)) throw thrown;
    const why = firstLine(messageOf(thrown));
    if (truncated.test(why) && !harmless.test(why)) throw new NotPicture(`${format}: ${why}`);
    const luma = await reducedLuma(bytes, 'error', deep).catch(refuse(format));
    return { luma, damage: harmless.test(why) ? null : `${format}: ${why}` };
  }
}

async function reducedLuma(
  bytes: Uint8Array,
  failOn: 'warning' | 'error',
  deep: LumaScale | null,
): Promise<Luma> {
  const reduced = sharp(bytes, { failOn, sequentialRead: true, limitInputPixels: mostPixels }).resize({
    width: reducedWidth,
    withoutEnlargement: true,
    kernel: 'linear',
  });
  if (deep === null) {
    const { data, info } = await reduced.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
    return lumaOfRgb(data, info.width, info.height, info.channels);
  }
  const grey = reduced.toColourspace('grey16').raw({ depth: 'ushort' });
  const { data, info } = await grey.toBuffer({ resolveWithObject: true });
  const values = new Uint16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
  return deep.luma(values, info.width, info.height);
}

const refuse = (format: string) => (thrown: unknown) => {
  if (isOfThisMachine(thrown)) throw thrown;
  throw new NotPicture(`${format}: ${firstLine(messageOf(thrown))}`);
};

/** libvips repeats itself line after line and names its own parts. */
function firstLine(message: string): string {
  const lines = message
    .split('\n')
    .map((line) => line.trim().replace(/^(VipsJpeg|vipspng|tiff2vips|webp2vips): /, ''));
  const said = lines.filter((line) => line !== '' && !line.startsWith('Warning treated as error'));
  return said.find((line) => !harmless.test(line)) ?? said[0] ?? message;
}

const sharpReads: ReadonlySet<PictureFormat> = new Set(['JPEG', 'PNG', 'WebP', 'GIF', 'TIFF', 'AVIF']);
const ffmpegReads: ReadonlySet<PictureFormat> = new Set(['BMP', 'PNM', 'PAM', 'PFM']);

/** Who decodes a picture format here; null: nobody. */
export function decoderOf(format: PictureFormat): 'sharp' | 'ffmpeg' | null {
  if (sharpReads.has(format)) return 'sharp';
  return ffmpegReads.has(format) ? 'ffmpeg' : null;
}

/** Luma by ITU-R BT.601, which JPEG and most cameras use: Y = 0.299 R + 0.587 G + 0.114 B, in 16-bit fixed point. */
export function lumaOfRgb(data: Uint8Array, width: number, height: number, channels: number): Luma {
  const n = width * height;
  if (channels <= 2) return { width, height, data: channels === 1 ? data : everySecond(data, n) };
  const luma = new Uint8Array(n);
  for (let i = 0, o = 0; o < n; i += channels, o++) {
    luma[o] = (19595 * data[i] + 38470 * data[i + 1] + 7471 * data[i + 2] + 32768) >> 16;
  }
  return { width, height, data: luma };
}

/** Grey with alpha. */
function everySecond(data: Uint8Array, n: number): Uint8Array {
  const luma = new Uint8Array(n);
  for (let i = 0; i < n; i++) luma[i] = data[2 * i];
  return luma;
}

/** Brings pictures of more than 8 bits to 8. */
export interface LumaScale {
  luma(values: Uint16Array | Float32Array, width: number, height: number): Luma;
}

/**
 * Brings 16-bit and floating-point pictures (depth, deep grey) to 8 bits with one factor for a whole camera: the
 * first picture's largest value, rounded up to a power of two, becomes 256. A factor of each picture's own would show
 * differences that are none.
 */
export class DeepScale implements LumaScale {
  #factor: number | null = null;

  luma(values: ArrayLike<number>, width: number, height: number): Luma {
    const n = width * height;
    this.#factor ??= factorFor(values, n);
    const data = new Uint8Array(n);
    for (let i = 0; i < n; i++) {
      const value = values[i] * this.#factor;
      data[i] = value >= 255 ? 255 : value > 0 ? value : 0;
    }
    return { width, height, data };
  }
}

/** Values that are not finite mean that nothing was measured there; they become 0. */
function factorFor(values: ArrayLike<number>, n: number): number {
  let largest = 0;
  for (let i = 0; i < n; i++)
    if (values[i] > largest && values[i] < Number.POSITIVE_INFINITY) largest = values[i];
  return largest === 0 ? 1 : 256 / 2 ** Math.ceil(Math.log2(largest + Number.EPSILON));
}

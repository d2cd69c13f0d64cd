import { limits, messageOf } from '#core';
import { type PictureFormat, pictureFormat } from '#core/episode';
import { type Luma, reducedWidth } from '../frame-stats.ts';
import { isMachineFault } from '../media-errors.ts';
import { type JpegSource, sharp } from './sharp.ts';

/** A decoded picture. */
export interface Picture {
  /** Luma scaled down to at most 320 px width. */
  readonly luma: Luma;
  readonly format: string;
  readonly width_px: number;
  readonly height_px: number;
  /** Pixel format as named by the decoder, such as `3 x uchar`. */
  readonly pixel_format: string;
  /** Clockwise rotation in degrees that makes the picture upright, from EXIF; mirroring is ignored. */
  readonly rotation_deg: number;
  /** Damage reported by the decoder although pixels were decoded; null if there is none. */
  readonly damage: string | null;
}

/** A decoded picture and the source from which it can be rendered. */
export interface DecodedPicture {
  readonly picture: Picture;
  readonly source: JpegSource;
}

/** Error with the reason why a picture cannot be decoded. */
export class PictureError extends Error {}

/** Error for formats without a decoder here, which says nothing about the picture. */
export class UnsupportedPicture extends PictureError {}

/** Maximum number of pixels of a picture, as in Pillow's check for decompression bombs (twice its MAX_IMAGE_PIXELS). */
export const maxPicturePixels: number = limits.recordings.picture_pixels.value;

/** Warnings of libjpeg that do not affect pixels, such as extra bytes between segments. */
const harmlessWarning = /^(Corrupt JPEG data: \d+ extraneous bytes before marker|Invalid SOS parameters)/;
/** Errors of truncated files. */
const truncationError = /premature end of JPEG image|unexpected end|end of file|read error/i;

const rotationByOrientation: Readonly<Record<number, number>> = {
  3: 180,
  4: 180,
  5: 90,
  6: 90,
  7: 270,
  8: 270,
};

/**
 * Decodes a whole picture file in memory and returns its facts and its luma, reduced to at most 320 px width; throws
 * PictureError.
 *
 * JPEGs are scaled while decoding, which still reads all data: truncated or damaged files are detected as in full
 * decoding, because warnings of the decoder are treated as errors first. 16-bit grey pictures (depth) are converted to
 * 8 bits by `scale`, which should be shared by all pictures of a camera.
 */
export async function decodePicture(bytes: Uint8Array, scale: LumaScale = new DeepScale()): Promise<Picture> {
  const format = pictureFormat(bytes);
  if (format === null) throw new PictureError('the first bytes do not match any supported image format');
  if (decoderFor(format) !== 'sharp')
    throw new UnsupportedPicture(`decoding ${format} images is not supported`);
  const facts = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(rethrowAsPictureError(format));
  if (facts.width * facts.height > maxPicturePixels) {
    const size = `${facts.width}x${facts.height}`;
    throw new PictureError(
      `${size} pixels exceed the limit of ${maxPicturePixels}, as in a decompression bomb`,
    );
  }
  const deep = facts.channels === 1 && facts.depth === 'ushort' ? scale : null;
  const { luma, damage } = await decodeLuma(bytes, format, deep);
  return {
    luma,
    format: facts.format ?? format.toLowerCase(),
    width_px: facts.width,
    height_px: facts.height,
    pixel_format: `${facts.channels} x ${facts.depth}`,
    rotation_deg: rotationByOrientation[facts.orientation ?? 1] ?? 0,
    damage,
  };
}

async function decodeLuma(
  bytes: Uint8Array,
  format: string,
  deep: LumaScale | null,
): Promise<{ luma: Luma; damage: string | null }> {
  try {
    return { luma: await reducedLuma(bytes, 'warning', deep), damage: null };
  } catch (thrown) {
    if (isMachineFault(thrown)) throw thrown;
    const why = firstLine(messageOf(thrown));
    if (truncationError.test(why) && !harmlessWarning.test(why)) throw new PictureError(`${format}: ${why}`);
    const luma = await reducedLuma(bytes, 'error', deep).catch(rethrowAsPictureError(format));
    return { luma, damage: harmlessWarning.test(why) ? null : `${format}: ${why}` };
  }
}

async function reducedLuma(
  bytes: Uint8Array,
  failOn: 'warning' | 'error',
  deep: LumaScale | null,
): Promise<Luma> {
  const reduced = sharp(bytes, { failOn, sequentialRead: true, limitInputPixels: maxPicturePixels }).resize({
    width: reducedWidth,
    withoutEnlargement: true,
    kernel: 'linear',
  });
  if (deep === null) {
    const { data, info } = await reduced.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
    return rgbToLuma(data, info.width, info.height, info.channels);
  }
  const grey = reduced.toColourspace('grey16').raw({ depth: 'ushort' });
  const { data, info } = await grey.toBuffer({ resolveWithObject: true });
  const values = new Uint16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
  return deep.luma(values, info.width, info.height);
}

const rethrowAsPictureError = (format: string) => (thrown: unknown) => {
  if (isMachineFault(thrown)) throw thrown;
  throw new PictureError(`${format}: ${firstLine(messageOf(thrown))}`);
};

/** Returns the first relevant line of an error message of libvips, without the names of its loaders. */
function firstLine(message: string): string {
  const lines = message
    .split('\n')
    .map((line) => line.trim().replace(/^(VipsJpeg|vipspng|tiff2vips|webp2vips): /, ''));
  const relevant = lines.filter((line) => line !== '' && !line.startsWith('Warning treated as error'));
  return relevant.find((line) => !harmlessWarning.test(line)) ?? relevant[0] ?? message;
}

const sharpFormats: ReadonlySet<PictureFormat> = new Set(['JPEG', 'PNG', 'WebP', 'GIF', 'TIFF', 'AVIF']);
const ffmpegFormats: ReadonlySet<PictureFormat> = new Set(['BMP', 'PNM', 'PAM', 'PFM']);

/** Returns the decoder of a picture format; null if there is none. */
export function decoderFor(format: PictureFormat): 'sharp' | 'ffmpeg' | null {
  if (sharpFormats.has(format)) return 'sharp';
  return ffmpegFormats.has(format) ? 'ffmpeg' : null;
}

/**
 * Converts RGB to luma by ITU-R BT.601 (Y = 0.299 R + 0.587 G + 0.114 B) in 16-bit fixed point. Grey pictures are
 * returned without their alpha.
 */
export function rgbToLuma(data: Uint8Array, width: number, height: number, channels: number): Luma {
  const n = width * height;
  if (channels <= 2) return { width, height, data: channels === 1 ? data : dropAlpha(data, n) };
  const luma = new Uint8Array(n);
  for (let i = 0, o = 0; o < n; i += channels, o++) {
    luma[o] = (19595 * data[i] + 38470 * data[i + 1] + 7471 * data[i + 2] + 32768) >> 16;
  }
  return { width, height, data: luma };
}

/** Removes the alpha channel of a grey picture. */
function dropAlpha(data: Uint8Array, n: number): Uint8Array {
  const luma = new Uint8Array(n);
  for (let i = 0; i < n; i++) luma[i] = data[2 * i];
  return luma;
}

/** Converts pictures of more than 8 bits to 8 bits. */
export interface LumaScale {
  /** Returns the picture with 8 bits per pixel. */
  luma(values: Uint16Array | Float32Array, width: number, height: number): Luma;
}

/**
 * Converts 16-bit and floating-point pictures (depth) to 8 bits with one factor for a whole camera: the largest value
 * of the first picture, rounded up to a power of two, becomes 256. A factor per picture would show differences that do
 * not exist.
 */
export class DeepScale implements LumaScale {
  #factor: number | null = null;

  /**
   * Returns the picture with 8 bits per pixel; the first call determines the factor. Other values are clamped to 0 to
   * 255.
   */
  luma(values: ArrayLike<number>, width: number, height: number): Luma {
    const n = width * height;
    this.#factor ??= computeFactor(values, n);
    const data = new Uint8Array(n);
    for (let i = 0; i < n; i++) {
      const value = values[i] * this.#factor;
      data[i] = value >= 255 ? 255 : value > 0 ? value : 0;
    }
    return { width, height, data };
  }
}

/** Returns the factor from the largest finite value; other values mean that nothing was measured and become 0. */
function computeFactor(values: ArrayLike<number>, n: number): number {
  let largest = 0;
  for (let i = 0; i < n; i++)
    if (values[i] > largest && values[i] < Number.POSITIVE_INFINITY) largest = values[i];
  return largest === 0 ? 1 : 256 / 2 ** Math.ceil(Math.log2(largest + Number.EPSILON));
}

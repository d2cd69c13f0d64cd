import { limits } from '#core';
import type { RawLayout } from '#core/episode';
import type { Luma } from '../frame-stats.ts';
import { type LumaScale, PictureError, rgbToLuma, UnsupportedPicture } from './decode-picture.ts';
import type { JpegSource } from './sharp.ts';

/** Position of luma in the pixels of an encoding of sensor_msgs/Image (image_encodings.hpp of ROS). */
interface PixelLayout {
  readonly bytes_per_pixel: number;
  readonly read: 'rgb' | 'bgr' | 'grey' | 'luma_first' | 'luma_second' | 'uint16' | 'float32';
}

const layouts: Readonly<Record<string, PixelLayout>> = {
  rgb8: { bytes_per_pixel: 3, read: 'rgb' },
  bgr8: { bytes_per_pixel: 3, read: 'bgr' },
  '8UC3': { bytes_per_pixel: 3, read: 'bgr' },
  rgba8: { bytes_per_pixel: 4, read: 'rgb' },
  bgra8: { bytes_per_pixel: 4, read: 'bgr' },
  '8UC4': { bytes_per_pixel: 4, read: 'bgr' },
  mono8: { bytes_per_pixel: 1, read: 'grey' },
  '8UC1': { bytes_per_pixel: 1, read: 'grey' },
  mono16: { bytes_per_pixel: 2, read: 'uint16' },
  '16UC1': { bytes_per_pixel: 2, read: 'uint16' },
  '32FC1': { bytes_per_pixel: 4, read: 'float32' },
  yuv422: { bytes_per_pixel: 2, read: 'luma_second' },
  uyvy: { bytes_per_pixel: 2, read: 'luma_second' },
  yuv422_yuy2: { bytes_per_pixel: 2, read: 'luma_first' },
  yuyv: { bytes_per_pixel: 2, read: 'luma_first' },
  nv12: { bytes_per_pixel: 1, read: 'grey' },
  nv21: { bytes_per_pixel: 1, read: 'grey' },
  nv24: { bytes_per_pixel: 1, read: 'grey' },
};

/**
 * Returns the layout of an encoding; null if unknown. Bayer mosaics are read as grey, since every pixel is a
 * brightness.
 */
function findLayout(encoding: string): PixelLayout | null {
  const exact = layouts[encoding];
  if (exact !== undefined) return exact;
  if (/^bayer_[rgb]{4}8$/.test(encoding)) return layouts.mono8;
  return /^bayer_[rgb]{4}16$/.test(encoding) ? layouts.mono16 : null;
}

const maxPixels = limits.recordings.picture_pixels.value;

/** Returns the luma of a raw picture in full size; throws PictureError for an unsupported layout or too few bytes. */
export function rawLuma(bytes: Uint8Array, layout: RawLayout, scale: LumaScale): Luma {
  const { kind, pixels } = packPixels(bytes, layout);
  return toLuma(pixels, layout.width, layout.height, kind, scale);
}

/** Returns the values of a raw picture with one 16- or 32-bit value per pixel; throws PictureError for any other. */
export function rawNumbers(bytes: Uint8Array, layout: RawLayout): Uint16Array | Float32Array {
  const { kind, pixels } = packPixels(bytes, layout);
  if (kind.read === 'uint16') return new Uint16Array(pixels.buffer);
  if (kind.read === 'float32') return new Float32Array(pixels.buffer);
  throw new UnsupportedPicture(`raw images with the encoding ${layout.encoding} have no depth values`);
}

/** Returns the layout and the pixels without row padding. Throws PictureError. */
function packPixels(
  bytes: Uint8Array,
  layout: RawLayout,
): { kind: PixelLayout; pixels: Uint8Array<ArrayBuffer> } {
  const { width, height, encoding } = layout;
  const kind = findLayout(encoding);
  if (kind === null)
    throw new UnsupportedPicture(`raw images with the encoding ${encoding} are not supported`);
  if (!(width > 0 && height > 0 && width * height <= maxPixels))
    throw new PictureError(`invalid raw image size ${width}x${height} px`);
  const row = width * kind.bytes_per_pixel;
  const step = layout.step > 0 ? layout.step : row;
  if (step < row)
    throw new PictureError(
      `a raw image of ${width} px width (${encoding}) declares invalid rows of ${step} bytes`,
    );
  const needed = (height - 1) * step + row;
  if (bytes.length < needed)
    throw new PictureError(
      `a raw image of ${width}x${height} px (${encoding}) has only ${bytes.length} of ${needed} bytes`,
    );
  return { kind, pixels: packRows(bytes, row, step, height) };
}

/**
 * Returns the source for rendering a raw picture: in colour if its encoding is RGB or BGR; else, also for YUV and
 * Bayer, its luma.
 */
export function rawSource(bytes: Uint8Array, layout: RawLayout, luma: Luma): JpegSource {
  const kind = findLayout(layout.encoding);
  if (kind?.read !== 'rgb' && kind?.read !== 'bgr') {
    return { type: 'pixels', ...luma, channels: 1, rotation_deg: 0 };
  }
  const { width, height } = layout;
  const channels = kind.bytes_per_pixel === 4 ? 4 : 3;
  const row = width * channels;
  const pixels = packRows(bytes, row, Math.max(row, layout.step), height);
  const data = kind.read === 'bgr' ? swapRedBlue(pixels, channels) : pixels;
  return { type: 'pixels', data, width, height, channels, rotation_deg: 0 };
}

/** Copies rows without padding. */
function packRows(bytes: Uint8Array, row: number, step: number, height: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) out.set(bytes.subarray(y * step, y * step + row), y * row);
  return out;
}

function toLuma(
  pixels: Uint8Array,
  width: number,
  height: number,
  kind: PixelLayout,
  scale: LumaScale,
): Luma {
  const n = width * height;
  switch (kind.read) {
    case 'grey':
      return { width, height, data: pixels };
    case 'rgb':
      return rgbToLuma(pixels, width, height, kind.bytes_per_pixel);
    case 'bgr':
      return rgbToLuma(swapRedBlue(pixels, kind.bytes_per_pixel), width, height, kind.bytes_per_pixel);
    case 'uint16':
      return scale.luma(new Uint16Array(pixels.buffer, 0, n), width, height);
    case 'float32':
      return scale.luma(new Float32Array(pixels.buffer, 0, n), width, height);
    default: {
      const data = new Uint8Array(n);
      const first = kind.read === 'luma_first' ? 0 : 1;
      for (let i = 0; i < n; i++) data[i] = pixels[2 * i + first];
      return { width, height, data };
    }
  }
}

/** Swaps red and blue in place and returns the same array. */
function swapRedBlue(pixels: Uint8Array, channels: number): Uint8Array {
  for (let i = 0; i + 2 < pixels.length; i += channels) {
    const blue = pixels[i];
    pixels[i] = pixels[i + 2];
    pixels[i + 2] = blue;
  }
  return pixels;
}

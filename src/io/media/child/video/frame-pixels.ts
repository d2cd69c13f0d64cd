import {
  AV_PIX_FMT_GRAY8,
  AV_PIX_FMT_RGB24,
  type AVPixelFormat,
  type AVSampleFormat,
  SWS_AREA,
  SWS_POINT,
} from 'node-av/constants';
import { avGetPixFmtName, Frame, SoftwareScaleContext } from 'node-av/lib';
import type { Luma } from '../frame-stats.ts';
import type { JpegSource } from '../pictures/sharp.ts';

/** Pixel formats whose first plane is 8-bit luma. */
const lumaFormats = /^(yuvj?4[0-4][0-4]p|yuva4[0-4][0-4]p|gray|nv12|nv21|nv16|nv24|y400a)$/;
/** Pixel formats whose first plane is luma in two little-endian bytes; the name ends with the number of bits. */
const deepLumaFormats = /^(?:yuva?4[0-4][0-4]p|gray)(9|10|12|14|16)le$/;
/** Two-plane formats whose 10 to 16 bits are aligned to the top of two bytes. */
const topAlignedFormats = /^p[024](?:10|12|16)le$/;

const formatNames = new Map<number, string>();

/** Returns the name of a pixel format in FFmpeg, such as `yuv420p`. */
export function pixelFormatName(format: AVPixelFormat | AVSampleFormat): string {
  let name = formatNames.get(format);
  if (name === undefined) {
    name = avGetPixFmtName(format as AVPixelFormat) ?? 'unknown';
    formatNames.set(format, name);
  }
  return name;
}

/**
 * Extracts the luma plane of decoded frames, reduced to 8 bits. Formats without a luma plane (RGB, palettes) are
 * converted to grey by swscale. The returned plane is overwritten by the next call.
 */
export class LumaReader {
  #buffer = new Uint8Array(0);

  /** Returns the luma of a frame in full size and 8 bits per pixel, in a buffer that the next call overwrites. */
  read(frame: Frame): Luma {
    const { width, height } = frame;
    if (this.#buffer.length !== width * height) this.#buffer = new Uint8Array(width * height);
    const name = pixelFormatName(frame.format);
    const bits = deepLumaFormats.exec(name)?.[1];
    if (lumaFormats.test(name)) this.#copy(frame);
    else if (bits !== undefined) this.#shift(frame, Number(bits) - 8);
    else if (topAlignedFormats.test(name)) this.#shift(frame, 8);
    else this.#convert(frame);
    return { width, height, data: this.#buffer };
  }

  #copy(frame: Frame): void {
    const plane = frame.data?.[0];
    if (plane === undefined) throw new Error('the decoder returned a frame without pixels');
    const stride = frame.linesize[0];
    const { width, height } = frame;
    if (stride === width) this.#buffer.set(plane.subarray(0, width * height));
    else
      for (let y = 0; y < height; y++)
        this.#buffer.set(plane.subarray(y * stride, y * stride + width), y * width);
  }

  #shift(frame: Frame, shift: number): void {
    const plane = frame.data?.[0];
    if (plane === undefined) throw new Error('the decoder returned a frame without pixels');
    const stride = frame.linesize[0];
    const { width, height } = frame;
    let o = 0;
    for (let y = 0; y < height; y++) {
      let i = y * stride;
      for (let x = 0; x < width; x++, i += 2) this.#buffer[o++] = (plane[i] | (plane[i + 1] << 8)) >> shift;
    }
  }

  #convert(frame: Frame): void {
    using grey = new Frame();
    grey.alloc();
    using scaler = new SoftwareScaleContext();
    const { width, height } = frame;
    scaler.getContext(
      width,
      height,
      frame.format as AVPixelFormat,
      width,
      height,
      AV_PIX_FMT_GRAY8,
      SWS_POINT,
    );
    grey.width = width;
    grey.height = height;
    grey.format = AV_PIX_FMT_GRAY8;
    grey.getBuffer();
    const code = scaler.scaleFrameSync(grey, frame);
    if (code < 0)
      throw new Error(`pixel format ${pixelFormatName(frame.format)} cannot be converted to greyscale`);
    this.#copy(grey);
  }
}

/** Converts a frame to RGB pixels that are at most `width` px wide when upright. */
export function frameToRgb(frame: Frame, width: number, rotation_deg: number): JpegSource {
  const shownWidth = rotation_deg % 180 === 0 ? frame.width : frame.height;
  const scale = Math.min(1, width / shownWidth);
  const to = {
    width: Math.max(1, Math.round(frame.width * scale)),
    height: Math.max(1, Math.round(frame.height * scale)),
  };
  using scaler = new SoftwareScaleContext();
  const from = frame.format as AVPixelFormat;
  scaler.getContext(frame.width, frame.height, from, to.width, to.height, AV_PIX_FMT_RGB24, SWS_AREA);
  using rgb = new Frame();
  rgb.alloc();
  rgb.width = to.width;
  rgb.height = to.height;
  rgb.format = AV_PIX_FMT_RGB24;
  rgb.getBuffer();
  if (scaler.scaleFrameSync(rgb, frame) < 0) throw new Error('a frame could not be converted to RGB');
  return { type: 'pixels', data: copyPixels(rgb), ...to, channels: 3, rotation_deg };
}

function copyPixels(rgb: Frame): Uint8Array {
  const plane = rgb.data?.[0];
  if (plane === undefined) throw new Error('the scaler returned a frame without pixels');
  const row = rgb.width * 3;
  const stride = rgb.linesize[0];
  const data = new Uint8Array(row * rgb.height);
  for (let y = 0; y < rgb.height; y++) data.set(plane.subarray(y * stride, y * stride + row), y * row);
  return data;
}

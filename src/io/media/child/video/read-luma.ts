import { AV_PIX_FMT_GRAY8, type AVPixelFormat, type AVSampleFormat, SWS_POINT } from 'node-av/constants';
import { avGetPixFmtName, Frame, SoftwareScaleContext } from 'node-av/lib';
import type { Luma } from '../luma.ts';

/** Formats whose first plane is 8-bit luma. */
const plain = /^(yuvj?4[0-4][0-4]p|yuva4[0-4][0-4]p|gray|nv12|nv21|nv16|nv24|y400a)$/;
/** Formats whose first plane is luma in two bytes, low byte first, with the number of bits at the end of the name. */
const deep = /^(?:yuva?4[0-4][0-4]p|gray)(9|10|12|14|16)le$/;
/** Two-plane formats that keep their 10 or 16 bits at the top of the two bytes. */
const deepTop = /^p[024](?:10|12|16)le$/;

const names = new Map<number, string>();

/** FFmpeg's name of a pixel format: `yuv420p`. */
export function pixelFormatName(format: AVPixelFormat | AVSampleFormat): string {
  let name = names.get(format);
  if (name === undefined) {
    name = avGetPixFmtName(format as AVPixelFormat) ?? 'unknown';
    names.set(format, name);
  }
  return name;
}

/**
 * Takes the luma plane of decoded frames, 16 bits cut to 8. Formats without a luma plane (RGB, palettes) are turned
 * to grey by swscale. The plane returned is overwritten by the next call.
 */
export class LumaReader {
  #buffer = new Uint8Array(0);

  read(frame: Frame): Luma {
    const { width, height } = frame;
    if (this.#buffer.length !== width * height) this.#buffer = new Uint8Array(width * height);
    const name = pixelFormatName(frame.format);
    const bits = deep.exec(name)?.[1];
    if (plain.test(name)) this.#copy(frame);
    else if (bits !== undefined) this.#shift(frame, Number(bits) - 8);
    else if (deepTop.test(name)) this.#shift(frame, 8);
    else this.#convert(frame);
    return { width, height, data: this.#buffer };
  }

  #copy(frame: Frame): void {
    const plane = frame.data?.[0];
    if (plane === undefined) throw new Error('the decoder gave a frame without pixels');
    const stride = frame.linesize[0];
    const { width, height } = frame;
    if (stride === width) this.#buffer.set(plane.subarray(0, width * height));
    else
      for (let y = 0; y < height; y++)
        this.#buffer.set(plane.subarray(y * stride, y * stride + width), y * width);
  }

  #shift(frame: Frame, shift: number): void {
    const plane = frame.data?.[0];
    if (plane === undefined) throw new Error('the decoder gave a frame without pixels');
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
    if (code < 0) throw new Error(`pixel format ${pixelFormatName(frame.format)} cannot be turned to grey`);
    this.#copy(grey);
  }
}

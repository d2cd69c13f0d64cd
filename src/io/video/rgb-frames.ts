import type { Frame, SoftwareScaleContext } from 'node-av';
import { AssayError } from '#core';
import type { RgbFrame } from './camera-pictures.ts';

type Size = readonly [width: number, height: number];

/** Scales pictures to a fixed size; the scaler is reused for pictures of equal size. */
export class FrameScaler {
  readonly #to: Size;
  #made: { readonly of: string; readonly context: SoftwareScaleContext; readonly to: Frame } | null = null;

  constructor(to: Size) {
    this.#to = to;
  }

  /**
   * Returns the picture in the fixed size, or the picture itself if it has this size; throws `media_failed` if it
   * cannot be scaled.
   */
  async scale(frame: RgbFrame): Promise<RgbFrame> {
    const [width_px, height_px] = this.#to;
    if (frame.width_px === width_px && frame.height_px === height_px) return frame;
    const av = await import('node-av');
    const { context, to } = await this.#scalerFor(frame);
    const from = av.Frame.fromVideoBuffer(
      Buffer.from(frame.rgb.buffer, frame.rgb.byteOffset, frame.rgb.byteLength),
      {
        width: frame.width_px,
        height: frame.height_px,
        format: av.AV_PIX_FMT_RGB24,
        timeBase: { num: 1, den: 1 },
        pts: 0n,
      },
    );
    const scaled = context.scaleFrameSync(to, from);
    from.free();
    if (scaled < 0)
      throw new AssayError('media_failed', `cannot scale an image to ${width_px}x${height_px}`, {});
    return { width_px, height_px, rgb: copyPixels(to) };
  }

  close(): void {
    this.#made?.context.freeContext();
    this.#made?.to.free();
    this.#made = null;
  }

  async #scalerFor({ width_px, height_px }: RgbFrame) {
    const of = `${width_px}x${height_px}`;
    if (this.#made?.of === of) return this.#made;
    this.close();
    const av = await import('node-av');
    const [width, height] = this.#to;
    const context = new av.SoftwareScaleContext();
    const format = av.AV_PIX_FMT_RGB24;
    context.getContext(width_px, height_px, format, width, height, format, av.SWS_AREA);
    const to = new av.Frame();
    to.alloc();
    to.width = width;
    to.height = height;
    to.format = format;
    to.getBuffer();
    this.#made = { of, context, to };
    return this.#made;
  }
}

/** Copies pixels without row padding. */
function copyPixels(frame: Frame): Uint8Array {
  const plane = frame.data?.[0] ?? Buffer.alloc(0);
  const [row, stride] = [frame.width * 3, frame.linesize[0]];
  const out = new Uint8Array(row * frame.height);
  for (let y = 0; y < frame.height; y++) out.set(plane.subarray(y * stride, y * stride + row), y * row);
  return out;
}

/**
 * Converts RGB to planar YUV 4:2:0 with limited range (ITU-R BT.601, the default of libswscale); the last row or column
 * of an odd size is dropped. Chroma is the mean of four pixels.
 */
export function rgbToYuv420(frame: RgbFrame): Uint8Array {
  const { rgb, width_px: stride } = frame;
  const [width, height] = evenSize(frame);
  const luma = width * height;
  const out = new Uint8Array(luma + luma / 2);
  const chroma = luma / 4;
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let i = 0; i < 4; i++) {
        const [px, py] = [x + (i & 1), y + (i >> 1)];
        const at = (py * stride + px) * 3;
        const [r, g, b] = [rgb[at], rgb[at + 1], rgb[at + 2]];
        out[py * width + px] = 16.5 + 0.256788 * r + 0.504129 * g + 0.097906 * b;
        red += r;
        green += g;
        blue += b;
      }
      const chromaIndex = luma + (y / 2) * (width / 2) + x / 2;
      out[chromaIndex] = 128.5 + (-0.148223 * red - 0.290993 * green + 0.439216 * blue) / 4;
      out[chromaIndex + chroma] = 128.5 + (0.439216 * red - 0.367788 * green - 0.071427 * blue) / 4;
    }
  return out;
}

/** Returns width and height of a picture, each rounded down to an even number. */
export function evenSize({ width_px, height_px }: RgbFrame): readonly [width: number, height: number] {
  return [width_px - (width_px % 2), height_px - (height_px % 2)];
}

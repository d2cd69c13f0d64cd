import type { Frame, SoftwareScaleContext } from 'node-av';
import { AssayError } from '#core';
import type { RgbFrame } from './camera-pictures.ts';

type Size = readonly [width: number, height: number];

/** Scales pictures to one size; what that takes is made once for pictures of a size. */
export class FrameScaler {
  readonly #to: Size;
  #made: { readonly of: string; readonly context: SoftwareScaleContext; readonly to: Frame } | null = null;

  constructor(to: Size) {
    this.#to = to;
  }

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
      throw new AssayError('media_failed', `a picture could not be scaled to ${width_px}x${height_px}`, {});
    return { width_px, height_px, rgb: packed(to) };
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

/** The pixels without what stands between rows. */
function packed(frame: Frame): Uint8Array {
  const plane = frame.data?.[0] ?? Buffer.alloc(0);
  const [row, stride] = [frame.width * 3, frame.linesize[0]];
  const out = new Uint8Array(row * frame.height);
  for (let y = 0; y < frame.height; y++) out.set(plane.subarray(y * stride, y * stride + row), y * row);
  return out;
}

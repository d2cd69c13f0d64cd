import { AV_PIX_FMT_RGB24, type AVPixelFormat, SWS_AREA } from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';
import type { FrameWish, RgbPicture } from '../../media-port.ts';

interface Scaler {
  /** Size and pixel format that it was made for. */
  readonly of: string;
  readonly context: SoftwareScaleContext;
  readonly rgb: Frame;
}

/** Turns decoded frames to RGB, reduced for each wish; what that takes is made once and freed at the end. */
export class RgbScalers implements Disposable {
  readonly #wishes: readonly FrameWish[];
  readonly #rotation_deg: number;
  readonly #scalers: (Scaler | null)[];

  constructor(wishes: readonly FrameWish[], rotation_deg: number) {
    this.#wishes = wishes;
    this.#rotation_deg = rotation_deg;
    this.#scalers = wishes.map(() => null);
  }

  /** One for each wish; null for those that are not among `wanted`. */
  pictures(frame: Frame, wanted: readonly number[]): (RgbPicture | null)[] {
    return this.#wishes.map((_, wish) => (wanted.includes(wish) ? this.#picture(frame, wish) : null));
  }

  [Symbol.dispose](): void {
    for (const [wish, scaler] of this.#scalers.entries()) {
      if (scaler !== null) free(scaler);
      this.#scalers[wish] = null;
    }
  }

  #picture(frame: Frame, wish: number): RgbPicture {
    const { context, rgb } = this.#scalerFor(frame, wish);
    if (context.scaleFrameSync(rgb, frame) < 0) throw new Error('a frame could not be turned to RGB');
    const stored_px = [frame.width, frame.height] as const;
    const picture = { width_px: rgb.width, height_px: rgb.height, rgb: packed(rgb), stored_px };
    return turned(picture, this.#rotation_deg);
  }

  #scalerFor(frame: Frame, wish: number): Scaler {
    const of = `${frame.width}x${frame.height} ${frame.format}`;
    const known = this.#scalers[wish];
    if (known?.of === of) return known;
    if (known !== null) free(known);
    const made = makeScaler(frame, this.#wishes[wish].longest_side_px, of);
    this.#scalers[wish] = made;
    return made;
  }
}

function makeScaler(frame: Frame, longest_side_px: number, of: string): Scaler {
  const [width, height] = reducedSize(frame.width, frame.height, longest_side_px);
  const context = new SoftwareScaleContext();
  const from = frame.format as AVPixelFormat;
  context.getContext(frame.width, frame.height, from, width, height, AV_PIX_FMT_RGB24, SWS_AREA);
  const rgb = new Frame();
  rgb.alloc();
  rgb.width = width;
  rgb.height = height;
  rgb.format = AV_PIX_FMT_RGB24;
  rgb.getBuffer();
  return { of, context, rgb };
}

function free({ context, rgb }: Scaler): void {
  context.freeContext();
  rgb.free();
}

/** The pixels without what stands between rows, in memory of their own. */
function packed(rgb: Frame): Uint8Array {
  const plane = rgb.data?.[0];
  if (plane === undefined) throw new Error('the scaler gave a frame without pixels');
  const row = rgb.width * 3;
  const stride = rgb.linesize[0];
  const data = new Uint8Array(row * rgb.height);
  for (let y = 0; y < rgb.height; y++) data.set(plane.subarray(y * stride, y * stride + row), y * row);
  return data;
}

/** Width and height whose longer side is at most so long, in the same proportion; never enlarged. */
function reducedSize(
  width: number,
  height: number,
  longest_side_px: number,
): [width: number, height: number] {
  const scale = Math.min(1, longest_side_px / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/** The picture turned clockwise by 0, 90, 180 or 270 degrees. */
function turned(picture: RgbPicture, rotation_deg: number): RgbPicture {
  if (rotation_deg === 0) return picture;
  const { width_px: width, height_px: height, rgb } = picture;
  const isUpright = rotation_deg === 180;
  const out = new Uint8Array(rgb.length);
  const outWidth = isUpright ? width : height;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [toX, toY] = isUpright
        ? [width - 1 - x, height - 1 - y]
        : rotation_deg === 90
          ? [height - 1 - y, x]
          : [y, width - 1 - x];
      const from = 3 * (y * width + x);
      const to = 3 * (toY * outWidth + toX);
      out[to] = rgb[from];
      out[to + 1] = rgb[from + 1];
      out[to + 2] = rgb[from + 2];
    }
  const [storedWidth, storedHeight] = picture.stored_px;
  const stored_px = isUpright ? picture.stored_px : ([storedHeight, storedWidth] as const);
  return { width_px: outWidth, height_px: isUpright ? height : width, rgb: out, stored_px };
}

import { AV_PIX_FMT_RGB24, type AVPixelFormat, SWS_AREA } from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';
import type { FrameLocator, SampledPicture } from '#core/episode';
import type { FrameNeed, FrameOutcome, PlannedFrame, RgbPicture } from '../media-port.ts';
import { planFrames } from '../plan-frames.ts';
import type { BatchRequest } from '../protocol.ts';
import { FrameUnavailable } from './media-errors.ts';
import { type DecodeProblem, iterateFrames } from './video/decode-frames.ts';
import { openVideo } from './video/open-files.ts';
import { findSpan, readRotation_deg, timeAt } from './video/span.ts';
import { UnitDecoder, type VideoEncoding } from './video/unit-decoder.ts';

/**
 * Yields the planned frames of a span of a video file, decoded in the requested sizes, or the reason for each that
 * cannot be; throws FrameUnavailable if the file cannot be used or the span is empty.
 */
export function* videoFrames(
  path: string,
  locator: Extract<FrameLocator, { type: 'video' }>,
  { stamps_s, needs, from, plan: requestedPlan }: BatchRequest,
): Generator<FrameOutcome, void, undefined> {
  const file = openVideo(path);
  const span = findSpan(file, locator.from_s, locator.to_s);
  if (span.count === 0) throw new FrameUnavailable('the video has no frame within the episode');
  const externalStamps_s = locator.unstamped === true ? stamps_s : null;
  const fileTime_s = (_: unknown, row: number) => timeAt(file, span.first + row) - span.from_s;
  const times_s =
    externalStamps_s?.subarray(0, span.count) ?? Float64Array.from({ length: span.count }, fileTime_s);
  const plan = (requestedPlan ?? planFrames(times_s, needs)).slice(from);
  const problems: DecodeProblem[] = [];
  const frameIndices = plan.map(({ row }) => span.first + row);
  let at = 0;
  using scalers = new RgbScalers(needs, readRotation_deg(file.stream.codecpar));
  for (const { frameIndex, frame } of iterateFrames(file, frameIndices, problems)) {
    for (; at < plan.length && frameIndices[at] !== frameIndex; at++)
      yield undecodedFrame(plan[at], problems);
    const { row, time_s, needs: own } = plan[at++];
    yield { row, time_s, pictures: scalers.pictures(frame, own) };
  }
  for (; at < plan.length; at++) yield undecodedFrame(plan[at], problems);
}

const undecodedFrame = (planned: PlannedFrame, problems: readonly DecodeProblem[]): FrameOutcome => ({
  ...planned,
  reason: problems[0]?.text ?? 'the decoder returned no frame',
});

/**
 * Yields the planned frames of access units, each decoded after the units before it; one that cannot be decoded is
 * yielded with the reason.
 */
export function* unitFrames(
  encoding: VideoEncoding,
  units: readonly SampledPicture[],
  plan: readonly PlannedFrame[],
  needs: readonly FrameNeed[],
): Generator<FrameOutcome, void, undefined> {
  const planned = new Map(plan.map((one) => [one.row, one]));
  const found = new Map<number, FrameOutcome>();
  using scalers = new RgbScalers(needs, 0);
  const decoder = new UnitDecoder(encoding, ({ index }, frame) => {
    const requested = planned.get(index);
    if (requested === undefined) return;
    const { row, time_s, needs: own } = requested;
    found.set(index, { row, time_s, pictures: scalers.pictures(frame, own) });
  });
  decoder.decode(units);
  const reason = decoder.failure ?? 'the decoder returned no frame';
  for (const one of plan) yield found.get(one.row) ?? { ...one, reason };
}

interface Scaler {
  /** Size and pixel format of its input. */
  readonly key: string;
  readonly context: SoftwareScaleContext;
  readonly rgb: Frame;
}

/** Converts decoded frames to RGB in the size of each need; scalers are created once and freed by dispose. */
class RgbScalers implements Disposable {
  readonly #wishes: readonly FrameNeed[];
  readonly #rotation_deg: number;
  readonly #scalers: (Scaler | null)[];

  constructor(needs: readonly FrameNeed[], rotation_deg: number) {
    this.#wishes = needs;
    this.#rotation_deg = rotation_deg;
    this.#scalers = needs.map(() => null);
  }

  /** Returns one picture per need; null for needs that are not in `requested`. */
  pictures(frame: Frame, requested: readonly number[]): (RgbPicture | null)[] {
    return this.#wishes.map((_, need) => (requested.includes(need) ? this.#picture(frame, need) : null));
  }

  [Symbol.dispose](): void {
    for (const [need, scaler] of this.#scalers.entries()) {
      if (scaler !== null) freeScaler(scaler);
      this.#scalers[need] = null;
    }
  }

  #picture(frame: Frame, need: number): RgbPicture {
    const { context, rgb } = this.#scalerFor(frame, need);
    if (context.scaleFrameSync(rgb, frame) < 0) throw new Error('a frame could not be converted to RGB');
    const stored_px = [frame.width, frame.height] as const;
    const picture = { width_px: rgb.width, height_px: rgb.height, rgb: copyPixels(rgb), stored_px };
    return rotatePicture(picture, this.#rotation_deg);
  }

  #scalerFor(frame: Frame, need: number): Scaler {
    const of = `${frame.width}x${frame.height} ${frame.format}`;
    const existing = this.#scalers[need];
    if (existing?.key === of) return existing;
    if (existing !== null) freeScaler(existing);
    const createdScaler = makeScaler(frame, this.#wishes[need].longest_side_px, of);
    this.#scalers[need] = createdScaler;
    return createdScaler;
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
  return { key: of, context, rgb };
}

function freeScaler({ context, rgb }: Scaler): void {
  context.freeContext();
  rgb.free();
}

/** Copies pixels without row padding. */
function copyPixels(rgb: Frame): Uint8Array {
  const plane = rgb.data?.[0];
  if (plane === undefined) throw new Error('the scaler returned a frame without pixels');
  const row = rgb.width * 3;
  const stride = rgb.linesize[0];
  const data = new Uint8Array(row * rgb.height);
  for (let y = 0; y < rgb.height; y++) data.set(plane.subarray(y * stride, y * stride + row), y * row);
  return data;
}

/** Returns width and height scaled so that the longer side is at most `longest_side_px`; never enlarged. */
function reducedSize(
  width: number,
  height: number,
  longest_side_px: number,
): [width: number, height: number] {
  const scale = Math.min(1, longest_side_px / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/** Rotates a picture clockwise by 0, 90, 180 or 270 degrees. */
function rotatePicture(picture: RgbPicture, rotation_deg: number): RgbPicture {
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

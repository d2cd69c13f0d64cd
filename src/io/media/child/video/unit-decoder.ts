import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_VP9,
  AV_FRAME_FLAG_KEY,
  type AVCodecID,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet } from 'node-av/lib';
import type { PictureEncoding, SampledPicture } from '#core/episode';
import { reportProgress } from '#io/processes';
import { type EvidenceBuilder, type ThumbnailSelector, thumbnailWidth } from '../evidence-builder.ts';
import { FrameUnavailable } from '../media-errors.ts';
import type { JpegSource } from '../pictures/sharp.ts';
import { ffmpegLog } from './ffmpeg-log.ts';
import { frameToRgb, LumaReader, pixelFormatName } from './frame-pixels.ts';
import { errorText, maxFramePixels } from './video-file.ts';

/** Encodings whose pictures are access units of video. */
export type VideoEncoding = Extract<PictureEncoding, 'h264' | 'h265' | 'av1' | 'vp9'>;

const codecs: Readonly<Record<VideoEncoding, AVCodecID>> = {
  h264: AV_CODEC_ID_H264,
  h265: AV_CODEC_ID_HEVC,
  av1: AV_CODEC_ID_AV1,
  vp9: AV_CODEC_ID_VP9,
};

/** Called with each decoded frame, which is valid only during the call. */
export type OnUnitFrame = (unit: { readonly index: number; readonly time_s: number }, frame: Frame) => void;

/**
 * Decodes access units of a compressed-video topic. Consecutive units form a run, which must begin where decoding can
 * start; the decoder is reset between runs.
 */
export class UnitDecoder {
  /** First error of the decoder; null if there was none. */
  failure: string | null = null;
  readonly #onFrame: OnUnitFrame;
  readonly #decoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  /** Times in seconds of the units of the current run, by index. */
  readonly #times = new Map<number, number>();

  constructor(encoding: VideoEncoding, onFrame: OnUnitFrame) {
    this.#onFrame = onFrame;
    const codec = Codec.findDecoder(codecs[encoding]);
    if (codec === null) throw new Error(`no decoder for ${encoding}`);
    this.#decoder.allocContext3(codec);
    this.#decoder.threadCount = 1;
    this.#decoder.setOption('max_pixels', maxFramePixels);
    const code = this.#decoder.open2Sync(codec, null);
    if (code < 0) throw new Error(`cannot open the decoder for ${encoding}: ${errorText(code)}`);
    this.#packet.alloc();
    this.#frame.alloc();
  }

  /**
   * Decodes all runs and passes each intact frame to `onFrame`; the first error is stored in `failure`, not thrown. The
   * decoder cannot be used afterwards.
   */
  decode(units: readonly SampledPicture[]): void {
    try {
      for (let i = 0; i < units.length; i++) {
        if (i > 0 && units[i].index !== units[i - 1].index + 1) this.#finishRun();
        this.#send(units[i]);
      }
      this.#finishRun();
    } finally {
      this.#close();
    }
  }

  #send({ index, time_s, bytes }: SampledPicture): void {
    reportProgress();
    this.#times.set(index, time_s);
    this.#packet.data = Buffer.from(bytes);
    this.#packet.pts = BigInt(index);
    this.#packet.dts = BigInt(index);
    const sent = this.#decoder.sendPacketSync(this.#packet);
    this.#packet.unref();
    if (sent < 0) this.#fail(index, sent);
    else this.#receive(index);
  }

  #finishRun(): void {
    this.#decoder.sendPacketSync(null);
    this.#receive(-1);
    this.#decoder.flushBuffers();
    this.#times.clear();
  }

  #close(): void {
    this.#frame.free();
    this.#packet.free();
    this.#decoder.freeContext();
  }

  #receive(index: number): void {
    for (;;) {
      const code = this.#decoder.receiveFrameSync(this.#frame);
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return;
      if (code < 0) {
        this.#fail(index, code);
        return;
      }
      this.#emit(Number(this.#frame.bestEffortTimestamp));
      this.#frame.unref();
    }
  }

  /** Passes on a frame by its stamp, because B-frames are output in presentation order. Damaged frames are dropped. */
  #emit(index: number): void {
    const time_s = this.#times.get(index);
    if (time_s === undefined || this.#frame.decodeErrorFlags !== 0) return;
    this.#onFrame({ index, time_s }, this.#frame);
  }

  #fail(index: number, code: number): void {
    this.failure ??= `frame ${index}: ${errorText(code)}`;
  }
}

/**
 * Decodes access units of a video topic, adds each picture to the evidence, and returns size, pixel format and the first failure.
 * Damaged units do not throw.
 */
export async function decodeUnits(
  encoding: VideoEncoding,
  units: readonly SampledPicture[],
  builder: EvidenceBuilder,
  selector: ThumbnailSelector,
): Promise<UnitsOutcome> {
  ffmpegLog.clear();
  const reader = new LumaReader();
  let size: readonly [number, number] | null = null;
  let pixel_format = 'unknown';
  const decoder = new UnitDecoder(encoding, ({ index, time_s }, frame) => {
    const luma = reader.read(frame);
    size ??= [luma.width, luma.height];
    pixel_format = pixelFormatName(frame.format);
    const coding = { key: (frame.flags & AV_FRAME_FLAG_KEY) !== 0, discards_up_to: 0 };
    selector.consider(builder.add(index, time_s, luma, coding), () => frameToRgb(frame, thumbnailWidth, 0));
  });
  decoder.decode(units);
  const words = decoder.failure === null ? null : await ffmpegLog.firstMessage();
  const failure =
    decoder.failure === null || words === null ? decoder.failure : `${decoder.failure} (${words})`;
  const isIncomplete = failure === null && builder.count < units.length;
  return {
    codec: encoding,
    pixel_format,
    size,
    failure: isIncomplete ? 'the decoder returns nothing for the rest' : failure,
    supported: true,
  };
}

/** Summary of decoding the extracted pictures of a camera. */
export interface UnitsOutcome {
  readonly codec: string;
  readonly pixel_format: string;
  /** Size of the first decoded picture; null if none was. */
  readonly size: readonly [width: number, height: number] | null;
  /** Reason of the first picture that could not be decoded; null if there is none. */
  readonly failure: string | null;
  /** False if there is no decoder for the encoding, which says nothing about the pictures. */
  readonly supported: boolean;
}

/**
 * Returns the frame of access unit `index` as RGB pixels, decoded with the extracted units before it; throws
 * FrameUnavailable if the decoder returns none.
 */
export function decodeUnitFrame(
  encoding: VideoEncoding,
  units: readonly SampledPicture[],
  index: number,
  width_px: number,
): JpegSource {
  let found: JpegSource | null = null;
  const decoder = new UnitDecoder(encoding, (unit, frame) => {
    if (unit.index === index) found = frameToRgb(frame, width_px, 0);
  });
  decoder.decode(units);
  if (found === null) throw new FrameUnavailable(decoder.failure ?? 'the decoder returned no frame');
  return found;
}

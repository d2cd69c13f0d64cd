import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_VP9,
  type AVCodecID,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet } from 'node-av/lib';
import type { KeptPicture, PictureEncoding } from '#core/episode';
import { advance } from '#io/processes';
import { errorText, mostPixels } from './video-file.ts';

export type VideoEncoding = Extract<PictureEncoding, 'h264' | 'h265' | 'av1' | 'vp9'>;

const codecs: Readonly<Record<VideoEncoding, AVCodecID>> = {
  h264: AV_CODEC_ID_H264,
  h265: AV_CODEC_ID_HEVC,
  av1: AV_CODEC_ID_AV1,
  vp9: AV_CODEC_ID_VP9,
};

/** A frame is valid only during the call. */
export type OnUnitFrame = (unit: { readonly index: number; readonly time_s: number }, frame: Frame) => void;

/**
 * Decodes access units of a compressed-video topic. Units that follow one another are one run, which begins where
 * decoding can start; the decoder is emptied between runs.
 */
export class UnitDecoder {
  /** What the decoder refused, the first of it. */
  failure: string | null = null;
  readonly #onFrame: OnUnitFrame;
  readonly #decoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  /** Times of the units of this run, by index. */
  readonly #times = new Map<number, number>();

  constructor(encoding: VideoEncoding, onFrame: OnUnitFrame) {
    this.#onFrame = onFrame;
    const codec = Codec.findDecoder(codecs[encoding]);
    if (codec === null) throw new Error(`there is no decoder for ${encoding}`);
    this.#decoder.allocContext3(codec);
    this.#decoder.threadCount = 1;
    this.#decoder.setOption('max_pixels', mostPixels);
    const code = this.#decoder.open2Sync(codec, null);
    if (code < 0) throw new Error(`the decoder for ${encoding} could not be opened: ${errorText(code)}`);
    this.#packet.alloc();
    this.#frame.alloc();
  }

  /** All runs, one after the other; the decoder cannot be used afterwards. */
  decode(kept: readonly KeptPicture[]): void {
    try {
      for (let i = 0; i < kept.length; i++) {
        if (i > 0 && kept[i].index !== kept[i - 1].index + 1) this.#finishRun();
        this.#send(kept[i]);
      }
      this.#finishRun();
    } finally {
      this.#close();
    }
  }

  #send({ index, time_s, bytes }: KeptPicture): void {
    advance();
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
      this.#take(Number(this.#frame.bestEffortTimestamp));
      this.#frame.unref();
    }
  }

  /** B-frames come out in the order of showing, stamps go with them. */
  #take(index: number): void {
    const time_s = this.#times.get(index);
    if (time_s === undefined || this.#frame.decodeErrorFlags !== 0) return;
    this.#onFrame({ index, time_s }, this.#frame);
  }

  #fail(index: number, code: number): void {
    this.failure ??= `unit ${index}: ${errorText(code)}`;
  }
}

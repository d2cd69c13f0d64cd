import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_ERROR,
  AV_PIX_FMT_YUV420P,
  type FFEncoderCodec,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, Frame, Log, Packet, Rational } from 'node-av/lib';

import { realTimeThreads, resetThreadPriority } from '../../src/io/video/writer.ts';

// SVT-AV1 says all its settings to standard error otherwise.
process.env.SVT_LOG ??= '1';

export interface Encoding {
  readonly encoder: 'libx264' | 'libsvtav1' | 'libx265' | 'libvpx-vp9' | 'mpeg4' | 'mjpeg';
  readonly container: 'mp4' | 'matroska' | 'webm' | 'avi' | 'mpegts' | 'mov' | 'hevc';
  readonly keyframe_every?: number;
  readonly b_frames?: number;
  readonly options?: Readonly<Record<string, string>>;
  readonly muxer?: Readonly<Record<string, string>>;
  readonly rate_hz?: number;
  /** Ticks of `rate_hz` that a frame lasts: 1001 at 30,000 is 29.97 frames a second. */
  readonly per_frame?: number;
  /** Stamp of each frame in frame periods; 0, 1, 2, … by default. */
  readonly stamps?: readonly number[];
}

/** H.264 in MP4, encoded fast, every second frame a key. */
export const x264: Encoding = {
  encoder: 'libx264',
  container: 'mp4',
  keyframe_every: 2,
  options: { preset: 'ultrafast', crf: '26' },
};

/** Encodes planar YUV 4:2:0 frames with an encoder of the build; what the writer of samples does not offer. */
export async function encodeVideo(
  path: string,
  width: number,
  height: number,
  frames: readonly Uint8Array[],
  encoding: Encoding,
): Promise<void> {
  Log.setLevel(AV_LOG_ERROR);
  const rate = encoding.rate_hz ?? 30;
  const period = encoding.per_frame ?? 1;
  const codec = Codec.findEncoderByName(encoding.encoder as FFEncoderCodec);
  if (codec === null) throw new Error(`no encoder ${encoding.encoder}`);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = width;
  context.height = height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(period, rate);
  context.framerate = new Rational(rate, period);
  context.gopSize = encoding.keyframe_every ?? 12;
  context.maxBFrames = encoding.b_frames ?? 0;
  context.threadCount = 1;
  if (encoding.container !== 'mpegts' && encoding.container !== 'hevc')
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  const before = realTimeThreads();
  check(await context.open2(codec, Dictionary.fromObject({ ...encoding.options })));
  await resetThreadPriority(before, path);
  const output = new FormatContext();
  check(output.allocOutputContext2(null, encoding.container, path));
  const stream = output.newStream(codec);
  stream.timeBase = new Rational(period, rate);
  stream.avgFrameRate = new Rational(rate, period);
  stream.codecpar.fromContext(context);
  check(await output.openOutput());
  check(await output.writeHeader(Dictionary.fromObject({ ...encoding.muxer })));
  const packet = new Packet();
  packet.alloc();
  const drain = async () => {
    while ((await context.receivePacket(packet)) >= 0) {
      packet.streamIndex = 0;
      packet.duration = 1n;
      packet.rescaleTs({ num: period, den: rate }, stream.timeBase);
      check(await output.interleavedWriteFrame(packet));
      packet.unref();
    }
  };
  for (let i = 0; i < frames.length; i++) {
    const frame = Frame.fromVideoBuffer(Buffer.from(frames[i]), {
      width,
      height,
      format: AV_PIX_FMT_YUV420P,
      timeBase: { num: period, den: rate },
      pts: BigInt(encoding.stamps?.[i] ?? i),
    });
    check(await context.sendFrame(frame));
    frame.free();
    await drain();
  }
  await context.sendFrame(null);
  await drain();
  check(await output.writeTrailer());
  await output.closeOutput();
  packet.free();
  context.freeContext();
  output.freeContext();
}

function check(code: number): void {
  if (code < 0) throw new Error(`FFmpeg said ${code}`);
}

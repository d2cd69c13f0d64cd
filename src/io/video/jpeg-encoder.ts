import { AssayError } from '#core';

/** Encodes planar YUV 4:2:0 pictures of one size as JPEG. */
export interface JpegEncoder {
  /** Returns a JPEG of one picture of the encoder's size; throws `output_unwritable` if it cannot be encoded. */
  encode(yuv420p: Uint8Array): Uint8Array;
  close(): void;
}

/**
 * Opens a JPEG encoder for pictures of one size, with a `quantiser` of 2 (best) to 31; throws `output_unwritable` if
 * the encoder is missing. The caller must close it.
 */
export async function openJpegEncoder(width: number, height: number, quantiser = 5): Promise<JpegEncoder> {
  const av = await import('node-av');
  av.Log.setLevel(av.AV_LOG_ERROR);
  const codec = av.Codec.findEncoderByName(av.FF_ENCODER_MJPEG);
  if (codec === null) throw new AssayError('output_unwritable', 'this build has no mjpeg encoder');
  const context = new av.CodecContext();
  context.allocContext3(codec);
  context.width = width;
  context.height = height;
  context.pixelFormat = av.AV_PIX_FMT_YUV420P;
  context.colorRange = av.AVCOL_RANGE_JPEG;
  context.timeBase = new av.Rational(1, 1);
  context.qMin = quantiser;
  context.qMax = quantiser;
  context.threadCount = 1;
  const opened = context.open2Sync(codec, av.Dictionary.fromObject({}));
  if (opened < 0) throw new AssayError('output_unwritable', `cannot open the mjpeg encoder (code ${opened})`);
  const packet = new av.Packet();
  packet.alloc();
  let frames = 0n;
  return {
    encode(yuv420p) {
      const buffer = Buffer.from(yuv420p.buffer, yuv420p.byteOffset, yuv420p.byteLength);
      const properties = {
        width,
        height,
        format: av.AV_PIX_FMT_YUV420P,
        timeBase: { num: 1, den: 1 },
        pts: frames++,
      };
      const frame = av.Frame.fromVideoBuffer(buffer, properties);
      const sent = context.sendFrameSync(frame);
      frame.free();
      const received = sent < 0 ? sent : context.receivePacketSync(packet);
      if (received < 0 || packet.data === null) {
        throw new AssayError('output_unwritable', `cannot encode an image (code ${received})`);
      }
      const jpeg = Uint8Array.from(packet.data);
      packet.unref();
      return jpeg;
    },
    close() {
      packet.free();
      context.freeContext();
    },
  };
}

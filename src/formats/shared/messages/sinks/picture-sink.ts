import { crc32 } from 'node:zlib';
import type { Extraction, Taps } from '@assay/ros-messages';
import type { Frames, PictureEncoding, RawLayout, SampledPicture, Stream } from '#core/episode';
import { ClockTrack, type MessageTimes } from '../clocks.ts';
import { type BufferedPicture, PictureSampler, VideoSampler } from '../picture-sampler.ts';
import type { PictureReceiver } from '../requested-pictures.ts';
import type { PictureSpec } from '../topic-mapping.ts';
import { unknownUnit } from '../topic-roles.ts';
import { uint32Column } from './columns.ts';
import type { FinishOptions, RecordingContext, TopicResult, TopicSink } from './topic-sink.ts';

/** Limits of the sampled pictures per camera; the budget of all cameras of a recording follows. */
const cameraLimits = { pictures: 24, bytes: 32 * 1024 * 1024 };
const maxRecordingPictureBytes = 64 * 1024 * 1024;

/** Picture topics: the CRC and size of every payload, and a bounded sample of the payloads. */
export class PictureSink implements TopicSink {
  readonly taps: Taps;
  readonly #spec: PictureSpec;
  readonly #context: RecordingContext;
  readonly #clocks = new ClockTrack();
  readonly #crc = uint32Column();
  readonly #sizes = uint32Column();
  #sampler: PictureSampler | VideoSampler = new PictureSampler(cameraLimits);
  #encoding: PictureEncoding = 'unknown';
  #format = '';
  #size: readonly [width: number, height: number] | null = null;

  constructor(spec: PictureSpec, stamp: string | null, context: RecordingContext) {
    this.#spec = spec;
    this.#context = context;
    this.taps = {
      stamp,
      numbers: (spec.layout ?? []).map((path) => ({ paths: [path] })),
      texts: [spec.format],
      names: null,
      payload: spec.payload,
    };
  }

  take(message: Extraction, times: MessageTimes): void {
    const index = this.#clocks.count;
    const payload = message.payload() ?? new Uint8Array(0);
    this.#clocks.push(times);
    this.#crc.push(crc32(payload));
    this.#sizes.push(payload.length);
    this.#context.heldBytes += 32;
    if (index === 0) this.#begin(message, payload);
    if (this.#context.receiver === null) this.#sample(message, payload, index);
    else this.#offer(this.#context.receiver, message, payload, times);
  }

  finish(finishing: FinishOptions): TopicResult {
    const count = this.#clocks.count;
    const chosen = this.#clocks.finish(finishing.topic, finishing);
    const times = chosen.choice === null ? null : chosen.clocks[chosen.choice.index].time_s;
    const frames: Frames = {
      locator: {
        type: 'embedded',
        path: finishing.context.path,
        channel: finishing.topic,
        encoding: this.#encoding,
      },
      declared_size_px: this.#size,
      declared_codec: this.#format === '' ? null : this.#format,
      payloads: { crc32: this.#crc.take(), bytes: this.#sizes.take() },
      kept: this.#sampler.pictures.map((held) => toKeptPicture(held, times)),
    };
    const stream: Stream = {
      id: finishing.topic,
      role: this.#spec.role === 'depth' || isDepthFormat(this.#format) ? 'depth' : 'camera',
      modality: isVideo(this.#encoding) ? 'video' : 'image',
      shape: this.#size === null ? [] : [this.#size[1], this.#size[0]],
      names: null,
      unit: unknownUnit,
      declared_rate_hz: null,
      sample_count: count,
      clocks: chosen.clocks,
      clock: chosen.choice,
      frames,
    };
    return { streams: [stream] };
  }

  #begin(message: Extraction, payload: Uint8Array): void {
    this.#format = message.text(0);
    if (this.#spec.layout === null) {
      this.#encoding = pictureEncoding(payload.subarray(pictureStart(payload, this.#format)), this.#format);
    } else {
      this.#encoding = 'raw';
      const layout = this.#layout(message);
      if (layout !== null) this.#size = [layout.width, layout.height];
    }
    if (isVideo(this.#encoding)) this.#sampler = new VideoSampler(cameraLimits);
  }

  #sample(message: Extraction, payload: Uint8Array, index: number): void {
    const sampler = this.#sampler;
    const before = sampler.bytes;
    let group = 0;
    if (sampler instanceof VideoSampler) {
      if (!sampler.accepts(isKeyUnit(payload, this.#encoding))) return;
      group = sampler.group;
    } else if (!sampler.accepts(index)) return;
    const bytes = copyFrom(payload, pictureStart(payload, this.#format));
    sampler.add({ index, bytes, layout: this.#spec.layout === null ? null : this.#layout(message), group });
    this.#context.pictureBytes += sampler.bytes - before;
    this.#thinIfOverBudget();
  }

  #offer(
    receiver: PictureReceiver,
    message: Extraction,
    payload: Uint8Array,
    { log_ns }: MessageTimes,
  ): void {
    const isKey = isKeyUnit(payload, this.#encoding);
    const bytes = () => copyFrom(payload, pictureStart(payload, this.#format));
    const layout = this.#spec.layout === null ? null : this.#layout(message);
    receiver.offer({ log_ns, isKey, bytes, layout }, isVideo(this.#encoding));
  }

  /** Halves this camera's sample if all cameras together exceed their budget. */
  #thinIfOverBudget(): void {
    if (this.#context.pictureBytes <= maxRecordingPictureBytes || this.#sampler.pictures.length <= 2) return;
    const before = this.#sampler.bytes;
    this.#sampler.thin();
    this.#context.pictureBytes += this.#sampler.bytes - before;
  }

  #layout(message: Extraction): RawLayout | null {
    const [height, width, step] = message.numbers.map((group) => group[0]);
    return { encoding: message.text(0), width, height, step };
  }
}

function toKeptPicture(buffered: BufferedPicture, times: Float64Array | null): SampledPicture {
  const picture = {
    index: buffered.index,
    time_s: times === null ? 0 : times[buffered.index],
    bytes: buffered.bytes,
  };
  return buffered.layout === null ? picture : { ...picture, layout: buffered.layout };
}

/** Copies the bytes from `start` on; `slice` of a Buffer would keep its whole chunk in memory. */
function copyFrom(payload: Uint8Array, start: number): Uint8Array {
  return new Uint8Array(payload.subarray(start));
}

/**
 * Returns the encoding of a payload from its first bytes (JPEG, PNG, WebP), else from the format name in the message;
 * `unknown` if neither tells it.
 */
export function pictureEncoding(payload: Uint8Array, format: string): PictureEncoding {
  return sniffEncoding(payload) ?? encodingFromName(format);
}

function sniffEncoding(bytes: Uint8Array): PictureEncoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  if (bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47) return 'png';
  const riff = bytes[0] === 0x52 && bytes[1] === 0x49 && bytes[2] === 0x46 && bytes[3] === 0x46;
  return riff && bytes[8] === 0x57 && bytes[9] === 0x45 ? 'webp' : null;
}

function encodingFromName(format: string): PictureEncoding {
  const words = format.toLowerCase();
  if (/h\.?264|avc/.test(words)) return 'h264';
  if (/h\.?265|hevc/.test(words)) return 'h265';
  if (/av1/.test(words)) return 'av1';
  if (/vp9/.test(words)) return 'vp9';
  if (/jpe?g/.test(words)) return 'jpeg';
  if (/png/.test(words)) return 'png';
  return /webp/.test(words) ? 'webp' : 'unknown';
}

function isVideo(encoding: PictureEncoding): boolean {
  return encoding === 'h264' || encoding === 'h265' || encoding === 'av1' || encoding === 'vp9';
}

/** True for pixel formats of `sensor_msgs/Image` that hold depth. */
function isDepthFormat(format: string): boolean {
  return /16UC1|32FC1|mono16|compressedDepth/i.test(format);
}

/**
 * Returns the offset of the picture in a payload: 12 for ROS compressedDepth (compressed_depth_image_transport prepends
 * a header to the PNG), else 0.
 */
export function pictureStart(payload: Uint8Array, format: string): number {
  const wrapped = /compressedDepth/i.test(format) && payload.length > 16;
  return wrapped && payload[12] === 0x89 && payload[13] === 0x50 ? 12 : 0;
}

/**
 * True if an access unit can be decoded without earlier ones: H.264 IDR (ITU-T H.264 table 7-1, type 5), H.265 IRAP
 * (ITU-T H.265 table 7-1, types 16 to 23), AV1 temporal unit with a sequence header (OBU type 1), VP9 key frame
 * (frame_type 0 of the uncompressed header). Always true for still pictures.
 */
export function isKeyUnit(unit: Uint8Array, encoding: PictureEncoding): boolean {
  switch (encoding) {
    case 'h264':
      return hasNalUnit(unit, (byte) => (byte & 0x1f) === 5);
    case 'h265':
      return hasNalUnit(unit, (byte) => ((byte >> 1) & 0x3f) >= 16 && ((byte >> 1) & 0x3f) <= 23);
    case 'av1':
      return hasSequenceHeader(unit);
    case 'vp9':
      return unit.length > 0 && unit[0] >> 6 === 2 && (unit[0] & 0x04) === 0;
    default:
      return true;
  }
}

/**
 * True if a NAL unit with a matching header byte starts (after 00 00 01) in the first 64 KiB, where parameter sets and
 * slices begin.
 */
function hasNalUnit(bytes: Uint8Array, matches: (header: number) => boolean): boolean {
  const end = Math.min(bytes.length - 3, 65_536);
  for (let i = 0; i < end; i++) {
    if (bytes[i] === 0 && bytes[i + 1] === 0 && bytes[i + 2] === 1 && matches(bytes[i + 3])) return true;
  }
  return false;
}

function hasSequenceHeader(bytes: Uint8Array): boolean {
  let at = 0;
  for (let count = 0; count < 8 && at < bytes.length; count++) {
    const header = bytes[at];
    if (((header >> 3) & 0x0f) === 1) return true;
    at += (header & 0x04) === 0 ? 1 : 2;
    if ((header & 0x02) === 0) return false;
    let size = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++] ?? 0;
      size |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) break;
    }
    at += size;
  }
  return false;
}

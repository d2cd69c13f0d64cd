import { constants } from 'node:os';
import { AVDISCARD_ALL, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import {
  avGetCodecName,
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  Packet,
  type Stream,
} from 'node-av/lib';
import { MachineFault } from '../media-errors.ts';
import { indexPackets, PacketBytes, type PacketIndex } from './packet-index.ts';

/** Demuxers that may be used. Play lists and scripts, which refer to other files, are excluded. */
const allowedContainers =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,ogg,asf,ivf,obu,av1,h264,hevc,m4v,mjpeg,' +
  'gif,mxf,nut,wtv,rm,dv,y4m,yuv4mpegpipe,bmp_pipe,pgm_pipe,ppm_pipe,pbm_pipe,pam_pipe,pgmyuv_pipe,pfm_pipe';

/** Restricts FFmpeg to local files and the allowed demuxers. */
const openOptions = {
  protocol_whitelist: 'file',
  format_whitelist: allowedContainers,
};

/** Maximum number of pixels of a video frame: twice what level 6.2 of H.264, H.265 and AV1 allows (8K). */
export const maxFramePixels = 2 * 35_651_584;

/** An open video file with demuxer, decoder and packet index. All operations are synchronous on purpose. */
export class VideoFile {
  readonly #path: string;
  #source: OpenContainer;
  readonly index: PacketIndex;
  readonly decoder: CodecContext;
  /** Name of the codec in FFmpeg, such as `av1`, independent of the decoder. */
  readonly codecName: string;
  readonly packet: Packet;
  readonly frame: Frame;
  /** Seconds per tick. */
  readonly tick_s: number;
  /** Position of the packet that is read next; -1 if unknown. */
  cursor = -1;
  /** True if `packet` already contains the packet at `cursor`. */
  hasPacket = false;
  /** True if the decoder contains no packet. */
  isDecoderEmpty = true;

  /**
   * Opens and indexes a file. `pixels`: maximum number of pixels per frame. `index`: packet index if already known.
   * Throws UnusableVideo with the reason.
   */
  constructor(path: string, pixels = maxFramePixels, index?: PacketIndex) {
    this.#path = path;
    this.#source = openSource(path);
    try {
      this.decoder = openDecoder(this.stream, pixels);
    } catch (thrown) {
      this.#source.format.closeInputSync();
      throw thrown;
    }
    this.codecName = avGetCodecName(this.stream.codecpar.codecId) ?? 'unknown';
    this.packet = new Packet();
    this.packet.alloc();
    this.frame = new Frame();
    this.frame.alloc();
    this.index = index ?? this.#buildIndex();
    this.tick_s = this.index.stamped ? this.stream.timeBase.toDouble() : 1 / averageRate_hz(this.stream);
  }

  #buildIndex(): PacketIndex {
    const content = new PacketBytes(this.format, this.#path);
    try {
      return indexPackets(this.format, this.stream, this.packet, content);
    } finally {
      content.close();
    }
  }

  get format(): FormatContext {
    return this.#source.format;
  }

  /** The video stream that FFmpeg considers the best. */
  get stream(): Stream {
    return this.#source.stream;
  }

  /** Number of video streams. */
  get videoStreams(): number {
    return this.format.streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO).length;
  }

  /** Returns the stamp of a packet in seconds in the time of the file. */
  time_s(position: number): number {
    return this.index.pts[position] * this.tick_s;
  }

  /** Opens the container again and positions at the first packet, for when seeking fails. */
  reopen(): void {
    this.#source.format.closeInputSync();
    this.#source = openSource(this.#path);
    this.cursor = 0;
    this.hasPacket = false;
  }

  close(): void {
    this.frame.free();
    this.packet.free();
    this.decoder.freeContext();
    this.format.closeInputSync();
  }
}

/** FFmpeg error codes for too many open files (ENFILE, EMFILE). */
const fileLimitErrors = new Set([-constants.errno.ENFILE, -constants.errno.EMFILE]);

/** Error with the reason why a file cannot be used as video. */
export class UnusableVideo extends Error {}

interface OpenContainer {
  readonly format: FormatContext;
  readonly stream: Stream;
}

/** Reads the packet index from the container of a file whose packets are not all present; throws UnusableVideo. */
export function readContainerIndex(path: string): PacketIndex {
  const packet = new Packet();
  packet.alloc();
  // Parsers would interpret zeros as frames that are not key frames.
  const { format, stream } = openSource(path, { ...openOptions, fflags: '+noparse+nofillin' });
  try {
    return indexPackets(format, stream, packet, null);
  } finally {
    packet.free();
    format.closeInputSync();
  }
}

function openSource(path: string, options: Readonly<Record<string, string>> = openOptions): OpenContainer {
  const format = new FormatContext();
  const code = format.openInputSync(`file:${path}`, null, Dictionary.fromObject(options));
  if (fileLimitErrors.has(code)) throw new MachineFault(`too many open files: ${errorText(code)}`);
  if (code < 0) throw new UnusableVideo(`cannot open the container: ${errorText(code)}`);
  format.findStreamInfoSync(null);
  const best = format.findBestStream(AVMEDIA_TYPE_VIDEO);
  if (best < 0) {
    const reason = describeMissingVideo(format);
    format.closeInputSync();
    throw new UnusableVideo(reason);
  }
  for (const other of format.streams) if (other.index !== best) other.discard = AVDISCARD_ALL;
  return { format, stream: format.streams[best] };
}

function describeMissingVideo(format: FormatContext): string {
  const { length } = format.streams;
  if (length === 0) return 'the container has no streams';
  return `the container has no video, only ${length} other ${length === 1 ? 'stream' : 'streams'}`;
}

function openDecoder(stream: Stream, pixels: number): CodecContext {
  const parameters = stream.codecpar;
  const { width, height } = parameters;
  if (width * height > pixels)
    throw new UnusableVideo(
      `${width}x${height} pixels exceed the limit of ${pixels}, as in a decompression bomb`,
    );
  const codec = Codec.findDecoder(parameters.codecId);
  if (codec === null)
    throw new UnusableVideo(`no decoder for ${avGetCodecName(parameters.codecId) ?? parameters.codecId}`);
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(parameters);
  decoder.pktTimebase = stream.timeBase;
  decoder.threadCount = 1;
  decoder.setOption('max_pixels', pixels);
  const code = decoder.open2Sync(codec, null);
  if (code < 0) throw new UnusableVideo(`cannot open the decoder ${codec.name}: ${errorText(code)}`);
  return decoder;
}

function averageRate_hz(stream: Stream): number {
  const rate = stream.avgFrameRate.toDouble();
  return Number.isFinite(rate) && rate > 0 ? rate : 25;
}

/** Returns the message of an FFmpeg error code. */
export function errorText(code: number): string {
  return FFmpegError.strerror(code);
}

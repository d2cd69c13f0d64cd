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
import { NotNow } from '../of-this-machine.ts';
import { indexPackets, PacketBytes, type PacketIndex } from './packet-index.ts';

/** Containers that hold pictures themselves. Play lists and scripts, which name other files, are not among them. */
const containers =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,ogg,asf,ivf,obu,av1,h264,hevc,m4v,mjpeg,' +
  'gif,mxf,nut,wtv,rm,dv,y4m,yuv4mpegpipe,bmp_pipe,pgm_pipe,ppm_pipe,pbm_pipe,pam_pipe,pgmyuv_pipe,pfm_pipe';

/** Bytes and microseconds spent on guessing stream parameters, as FFmpeg's own defaults. */
const openOptions = {
  protocol_whitelist: 'file',
  format_whitelist: containers,
};

/** Pixels of one frame of video at most: twice what level 6.2 of H.264, H.265 and AV1 allows (8K). */
export const mostPixels = 2 * 35_651_584;

/** A video file held open: demuxer, decoder and index of packets. Everything here is synchronous on purpose. */
export class VideoFile {
  readonly #path: string;
  #source: Source;
  readonly index: PacketIndex;
  readonly decoder: CodecContext;
  /** The codec as FFmpeg names it, whatever its decoder is called: `av1`. */
  readonly codecName: string;
  readonly packet: Packet;
  readonly frame: Frame;
  /** Seconds a tick. */
  readonly tick_s: number;
  /** Position of the packet that reading gives next; -1 when unknown. */
  cursor = -1;
  /** Whether `packet` holds the packet at `cursor` already. */
  held = false;
  /** Whether the decoder holds no packet. */
  fresh = true;

  /**
   * `pixels`: of one frame at most. `index`: where it is known already. Throws NotVideo with the reason.
   */
  constructor(path: string, pixels = mostPixels, index?: PacketIndex) {
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
    this.index = index ?? this.#look();
    this.tick_s = this.index.stamped ? this.stream.timeBase.toDouble() : 1 / rateOf(this.stream);
  }

  #look(): PacketIndex {
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

  /** The stream FFmpeg takes for the best. */
  get stream(): Stream {
    return this.#source.stream;
  }

  get videoStreams(): number {
    return this.format.streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO).length;
  }

  /** Seconds of a packet's stamp in the file's own time. */
  time_s(position: number): number {
    return this.index.pts[position] * this.tick_s;
  }

  /** Back to the first packet where seeking does not get there. */
  reopen(): void {
    this.#source.format.closeInputSync();
    this.#source = openSource(this.#path);
    this.cursor = 0;
    this.held = false;
  }

  close(): void {
    this.frame.free();
    this.packet.free();
    this.decoder.freeContext();
    this.format.closeInputSync();
  }
}

/** The negatives of ENFILE and EMFILE. */
const noMoreFiles = new Set([-constants.errno.ENFILE, -constants.errno.EMFILE]);

/** Why a file cannot be used as video. */
export class NotVideo extends Error {}

interface Source {
  readonly format: FormatContext;
  readonly stream: Stream;
}

/** As the container tells it, of a file whose packets are not all there. Throws NotVideo. */
export function containerIndex(path: string): PacketIndex {
  const packet = new Packet();
  packet.alloc();
  // Parsers would take zeros for frames that are no keys.
  const { format, stream } = openSource(path, { ...openOptions, fflags: '+noparse+nofillin' });
  try {
    return indexPackets(format, stream, packet, null);
  } finally {
    packet.free();
    format.closeInputSync();
  }
}

function openSource(path: string, options: Readonly<Record<string, string>> = openOptions): Source {
  const format = new FormatContext();
  const code = format.openInputSync(`file:${path}`, null, Dictionary.fromObject(options));
  if (noMoreFiles.has(code)) throw new NotNow(`no more files can be opened: ${errorText(code)}`);
  if (code < 0) throw new NotVideo(`the container could not be opened: ${errorText(code)}`);
  format.findStreamInfoSync(null);
  const best = format.findBestStream(AVMEDIA_TYPE_VIDEO);
  if (best < 0) {
    const reason = withoutVideo(format);
    format.closeInputSync();
    throw new NotVideo(reason);
  }
  for (const other of format.streams) if (other.index !== best) other.discard = AVDISCARD_ALL;
  return { format, stream: format.streams[best] };
}

function withoutVideo(format: FormatContext): string {
  const { length } = format.streams;
  if (length === 0) return 'the container holds no stream';
  return `the container holds no video, only ${length} other ${length === 1 ? 'stream' : 'streams'}`;
}

function openDecoder(stream: Stream, pixels: number): CodecContext {
  const parameters = stream.codecpar;
  const { width, height } = parameters;
  if (width * height > pixels)
    throw new NotVideo(
      `${width}x${height} pixels pass the limit of ${pixels}: taken for a decompression bomb`,
    );
  const codec = Codec.findDecoder(parameters.codecId);
  if (codec === null)
    throw new NotVideo(`there is no decoder for ${avGetCodecName(parameters.codecId) ?? parameters.codecId}`);
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(parameters);
  decoder.pktTimebase = stream.timeBase;
  decoder.threadCount = 1;
  decoder.setOption('max_pixels', pixels);
  const code = decoder.open2Sync(codec, null);
  if (code < 0) throw new NotVideo(`the decoder ${codec.name} could not be opened: ${errorText(code)}`);
  return decoder;
}

function rateOf(stream: Stream): number {
  const rate = stream.avgFrameRate.toDouble();
  return Number.isFinite(rate) && rate > 0 ? rate : 25;
}

export function errorText(code: number): string {
  return FFmpegError.strerror(code);
}

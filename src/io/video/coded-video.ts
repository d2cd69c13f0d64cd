import type { Demuxer, Packet, Stream } from 'node-av';
import { AssayError, messageOf } from '#core';
import type { ListedPacket } from './packet-runs.ts';

type Av = typeof import('node-av');

/** Packets between two turns of the event loop, so that aborting is noticed. */
const packetsPerYield = 256;

interface Ratio {
  readonly num: number;
  readonly den: number;
}

/** The first video stream of a file with its packet list; nothing is decoded. */
export interface CodedVideo extends VideoFacts {
  readonly path: string;
  readonly stream: Stream;
  /** Seconds a tick. */
  readonly tick_s: number;
  /** Time base of the stamps in `packets`. */
  readonly time_base: Ratio;
  readonly frame_rate: Ratio;
  readonly packets: readonly ListedPacket[];
  /** Files with equal text can be joined in one container: codec, size, pixel format, time base, parameter sets. */
  readonly coding: string;
  /** Yields the packets with these numbers in ascending order; each is valid until the next. */
  read(packetNumbers: ReadonlySet<number>): AsyncIterable<readonly [index: number, packet: Packet]>;
  close(): Promise<void>;
}

/**
 * Opens a video file and lists the packets of its first video stream; throws `unreadable_input` if it is not a video or
 * truncated. The caller must close it.
 */
export async function openCodedVideo(path: string): Promise<CodedVideo> {
  const av = await import('node-av');
  av.Log.setLevel(av.AV_LOG_ERROR);
  const demuxer = await open(av, path);
  const stream = demuxer.video();
  if (stream === undefined) {
    await demuxer.close();
    throw unreadableVideoError(path, 'it has no video stream');
  }
  const { num, den } = stream.timeBase;
  return {
    path,
    stream,
    tick_s: num / den,
    time_base: { num, den },
    frame_rate: stream.avgFrameRate,
    packets: await listPackets(av, demuxer, stream),
    ...videoFacts(av, stream),
    coding: codingKey(stream),
    read: (packetNumbers) => readPackets(av, path, packetNumbers),
    close: () => demuxer.close(),
  };
}

async function open(av: Av, path: string): Promise<Demuxer> {
  try {
    return await av.Demuxer.open(path);
  } catch (thrown) {
    throw unreadableVideoError(path, messageOf(thrown));
  }
}

async function listPackets(av: Av, demuxer: Demuxer, stream: Stream): Promise<ListedPacket[]> {
  const packets: ListedPacket[] = [];
  for (const packet of iteratePackets(av, demuxer, stream)) {
    const { pts, dts, duration, isKeyframe: key } = packet;
    packets.push({ pts: Number(pts), dts: Number(dts), duration: Number(duration), key });
    if (packets.length % packetsPerYield === 0) await new Promise(setImmediate);
  }
  return packets;
}

/** Reads packets in a second pass over the file, which is in the page cache, so that no packet is kept in memory. */
async function* readPackets(av: Av, path: string, packetNumbers: ReadonlySet<number>) {
  let last = -1;
  for (const packetNumber of packetNumbers) last = Math.max(last, packetNumber);
  const demuxer = await open(av, path);
  try {
    let packetNumber = 0;
    for (const packet of iteratePackets(av, demuxer, demuxer.video())) {
      if (packetNumber > last) break;
      if (packetNumbers.has(packetNumber)) yield [packetNumber, packet] as const;
      packetNumber += 1;
      if (packetNumber % packetsPerYield === 0) await new Promise(setImmediate);
    }
  } finally {
    await demuxer.close();
  }
}

/**
 * Yields packets as stored, each valid until the next. The generators of the library shift stamps at gaps, copy each
 * packet, and are 5 times slower; with an event loop turn per packet, 10 times.
 */
function* iteratePackets(av: Av, demuxer: Demuxer, stream: Stream | undefined): Generator<Packet> {
  const context = demuxer.getFormatContext();
  const packet = new av.Packet();
  packet.alloc();
  try {
    while (context.readFrameSync(packet) >= 0) {
      if (packet.streamIndex === stream?.index) yield packet;
      packet.unref();
    }
  } finally {
    packet.free();
  }
}

function codingKey({ codecpar, timeBase }: Stream): string {
  const { codecId, width, height, format, profile, extradata } = codecpar;
  const parts = [codecId, width, height, format, profile, timeBase.num, timeBase.den];
  return `${parts.join(' ')} ${extradata?.toString('base64') ?? ''}`;
}

/** Coding properties of a video file from its headers. */
export interface VideoFacts {
  /** Null for any other codec. */
  readonly codec: 'h264' | 'h265' | 'av1' | null;
  readonly size_px: readonly [width: number, height: number];
  readonly is_yuv420p: boolean;
}

type NodeAv = typeof import('node-av');

function videoFacts(av: NodeAv, { codecpar: { codecId, width, height, format } }: Stream): VideoFacts {
  return {
    codec: codecName(av, codecId),
    size_px: [width, height],
    is_yuv420p: format === av.AV_PIX_FMT_YUV420P,
  };
}

/**
 * Reads codec, size and pixel format from the headers of a video file; throws `unreadable_input` if it is not a video.
 */
export async function openVideoFacts(path: string): Promise<VideoFacts> {
  const av = await import('node-av');
  av.Log.setLevel(av.AV_LOG_ERROR);
  const demuxer = await av.Demuxer.open(path).catch((thrown: unknown) => {
    throw unreadableVideoError(path, messageOf(thrown));
  });
  try {
    const stream = demuxer.video();
    if (stream === undefined) throw unreadableVideoError(path, 'it has no video stream');
    return videoFacts(av, stream);
  } finally {
    await demuxer.close();
  }
}

function unreadableVideoError(path: string, why: string): AssayError {
  return new AssayError('unreadable_input', `${path} cannot be copied: ${why}`, {
    path,
    advice: 'exclude its episodes, or restore the file from its source',
  });
}

function codecName(av: NodeAv, codecId: number): VideoFacts['codec'] {
  if (codecId === av.AV_CODEC_ID_H264) return 'h264';
  if (codecId === av.AV_CODEC_ID_HEVC) return 'h265';
  return codecId === av.AV_CODEC_ID_AV1 ? 'av1' : null;
}

/** Ticks per frame; with this number MP4 can express any frame rate. */
const frame_ticks = 512;
/** FFmpeg marks a missing stamp with the smallest 64-bit integer; anything at or below this value is missing. */
const noStamp = -(2 ** 62);

/** A video whose frame k in presentation order is shown at k / rate. */
export interface EvenVideo {
  readonly video: CodedVideo;
  /** Original times of the frames in seconds, ascending; null if the source has no stamps. */
  readonly source_times_s: Float64Array | null;
}

/**
 * Returns the video with evenly spaced stamps at `rate_hz` in frame order, or the reason as text if the order is
 * unknown: missing stamps with reordered frames, or equal stamps. Only the packet list changes.
 */
export function restampEvenly(video: CodedVideo, rate_hz: number): EvenVideo | string {
  const { packets, stream } = video;
  const stamped = packets.every(({ pts }) => pts > noStamp);
  if (!stamped && stream.codecpar.videoDelay > 0)
    return 'its frames have no timestamps and may be displayed in a different order than they are stored';
  const order = [...packets.keys()];
  if (stamped) order.sort((a, b) => packets[a].pts - packets[b].pts);
  if (
    stamped &&
    order.some((packetNumber, i) => i > 0 && packets[packetNumber].pts === packets[order[i - 1]].pts)
  )
    return 'two of its frames have the same timestamp';
  const even = evenPackets(packets, order);
  const time_base = { num: 1, den: rate_hz * frame_ticks };
  return {
    video: {
      ...video,
      packets: even,
      tick_s: 1 / time_base.den,
      time_base,
      frame_rate: { num: rate_hz, den: 1 },
    },
    source_times_s: stamped
      ? Float64Array.from(order, (packetNumber) => packets[packetNumber].pts * video.tick_s)
      : null,
  };
}

/**
 * Returns the packets with even stamps. `order`: packet numbers in presentation order. Decoding stamps are never later
 * than presentation stamps.
 */
function evenPackets(packets: readonly ListedPacket[], order: readonly number[]): ListedPacket[] {
  const ranks = new Int32Array(order.length);
  for (const [rank, packetNumber] of order.entries()) ranks[packetNumber] = rank;
  const delay = ranks.reduce((largest, rank, packetNumber) => Math.max(largest, packetNumber - rank), 0);
  return packets.map(({ key }, packetNumber) => ({
    pts: ranks[packetNumber] * frame_ticks,
    dts: (packetNumber - delay) * frame_ticks,
    duration: frame_ticks,
    key,
  }));
}

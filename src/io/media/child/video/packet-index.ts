import { closeSync, openSync, readSync } from 'node:fs';
import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_NOPTS_VALUE,
  AV_PKT_FLAG_CORRUPT,
  AV_PKT_FLAG_DISCARD,
  AV_PKT_FLAG_KEY,
  AVERROR_EOF,
} from 'node-av/constants';
import type { CodecParameters, FormatContext, Packet, Stream } from 'node-av/lib';
import { reportProgress } from '#io/processes';

/** All packets of one video stream in stored order, which is decoding order. */
export interface PacketIndex {
  readonly count: number;
  /** Presentation times in ticks of the time base of the stream. */
  readonly pts: Float64Array;
  readonly bytes: Int32Array;
  /** 1 where decoding can start. */
  readonly key: Uint8Array;
  /** Byte offsets in the file; -1 if the container does not tell. */
  readonly offset: Float64Array;
  /** Packet positions sorted by presentation time. */
  readonly byStamp: Int32Array;
  /** Positions of the packets that are shown, in presentation order. */
  readonly shown: Int32Array;
  /** True if `pts` are stamps of the file; else they are packet positions. */
  readonly stamped: boolean;
  /** 1 for packets that the demuxer marked as damaged or whose units do not add up to their size. */
  readonly broken: Uint8Array;
  /** Number of damaged packets. */
  readonly damaged: number;
  /** FFmpeg error code if reading ended before the end of the file, else null. */
  readonly error: number | null;
}

/**
 * Reads all packets of a file without decoding and returns their stamps, sizes and key flags; with `content`, also
 * whether they are complete.
 */
export function indexPackets(
  format: FormatContext,
  stream: Stream,
  packet: Packet,
  content: PacketBytes | null,
): PacketIndex {
  const isWhole = completenessCheck(stream.codecpar);
  const pts: number[] = [];
  const bytes: number[] = [];
  const key: number[] = [];
  const offset: number[] = [];
  const hidden = new Set<number>();
  const broken: number[] = [];
  let unstamped = 0;
  let code = format.readFrameSync(packet);
  for (; code >= 0; code = format.readFrameSync(packet)) {
    reportProgress();
    if (packet.streamIndex === stream.index) {
      const flags: number = packet.flags;
      const stamp = packetStamp(packet);
      if (stamp === null) unstamped++;
      const whole = content?.isComplete(packet, isWhole) ?? true;
      broken.push((flags & AV_PKT_FLAG_CORRUPT) !== 0 || !whole ? 1 : 0);
      // Packets before the start of an edit list are decoded but not shown.
      if ((flags & AV_PKT_FLAG_DISCARD) !== 0) hidden.add(pts.length);
      offset.push(Number(packet.pos));
      key.push(flags & AV_PKT_FLAG_KEY);
      bytes.push(packet.size);
      pts.push(stamp ?? pts.length);
    }
    packet.unref();
  }
  const stamped = unstamped === 0;
  const stamps = stamped ? Float64Array.from(pts) : Float64Array.from(pts, (_, i) => i);
  const byStamp = Int32Array.from(pts, (_, i) => i).sort((a, b) => stamps[a] - stamps[b] || a - b);
  return {
    count: pts.length,
    pts: stamps,
    offset: Float64Array.from(offset),
    byStamp,
    bytes: Int32Array.from(bytes),
    key: Uint8Array.from(key),
    shown: hidden.size === 0 ? byStamp : byStamp.filter((position) => !hidden.has(position)),
    stamped,
    broken: Uint8Array.from(broken),
    damaged: broken.reduce((sum, one) => sum + one, 0),
    error: code === AVERROR_EOF ? null : code,
  };
}

/** Returns the stamp that links a packet to its decoded frame (pts, else dts); null if it has none. */
function packetStamp(packet: Packet): number | null {
  const { pts } = packet;
  if (pts !== AV_NOPTS_VALUE) return Number(pts);
  const { dts } = packet;
  return dts === AV_NOPTS_VALUE ? null : Number(dts);
}

/**
 * Returns the first index in a list of positions, sorted by stamp, whose stamp is at or after `pts`; the length of the
 * list if there is none.
 */
export function firstFrameAt(index: PacketIndex, sorted: Int32Array, pts: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (index.pts[sorted[middle]] < pts) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the position of a packet that was just read; -1 if it is not in the index. */
export function findPosition(index: PacketIndex, packet: Packet): number {
  const stamp = packetStamp(packet);
  if (stamp === null) return -1;
  const offset = Number(packet.pos);
  const first = firstFrameAt(index, index.byStamp, stamp);
  for (let i = first; i < index.count && index.pts[index.byStamp[i]] === stamp; i++) {
    const position = index.byStamp[i];
    if (index.offset[position] === offset && index.bytes[position] === packet.size) return position;
  }
  return -1;
}

/**
 * Reads the bytes of packets directly from the file into one buffer if the container stores them unchanged. Each
 * `packet.data` is a copy, and thousands of copies would use most of the memory of the process.
 */
export class PacketBytes {
  readonly #fd: number | null;
  /** Read-ahead buffer that holds hundreds of consecutive packets. */
  #buffer: Buffer = Buffer.alloc(1 << 18);
  #at = 0;
  #length = 0;

  /** Opens the file; `close` must be called. */
  constructor(format: FormatContext, path: string) {
    // In other containers the position of a packet is that of a header, or its bytes differ from those of the file.
    this.#fd = format.iformat?.name?.startsWith('mov,') === true ? openSync(path, 'r') : null;
  }

  /** True if `isWhole` accepts the bytes of a packet. */
  isComplete(packet: Packet, isWhole: (data: Buffer | null) => boolean): boolean {
    const inFile = this.#readFromFile(Number(packet.pos), packet.size);
    return (inFile !== null && isWhole(inFile)) || isWhole(packet.data);
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
  }

  #readFromFile(position: number, size: number): Buffer | null {
    if (this.#fd === null || position < 0 || size <= 0) return null;
    if (position < this.#at || position + size > this.#at + this.#length) {
      if (this.#buffer.length < size) this.#buffer = Buffer.alloc(size * 2);
      this.#length = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, position);
      this.#at = position;
    }
    const from = position - this.#at;
    return from + size <= this.#length ? this.#buffer.subarray(from, from + size) : null;
  }
}

/**
 * Returns a check whether the units of a packet add up to its size, for codecs that store unit lengths; packets of
 * other codecs always pass. The check is cheap enough for every packet and finds overwritten or zeroed ranges of a file
 * without decoding.
 */
export function completenessCheck(parameters: CodecParameters): (data: Buffer | null) => boolean {
  const extra = parameters.extradata;
  const configured = extra !== null && extra.length > 0 && extra[0] === 1;
  if (parameters.codecId === AV_CODEC_ID_H264 && configured) return nalUnitCheck((extra[4] & 3) + 1);
  if (parameters.codecId === AV_CODEC_ID_HEVC && configured && extra.length > 21)
    return nalUnitCheck((extra[21] & 3) + 1);
  return parameters.codecId === AV_CODEC_ID_AV1 ? isCompleteAv1 : () => true;
}

/** Checks NAL units with length prefixes of `lengthBytes` bytes (ISO/IEC 14496-15). */
const nalUnitCheck = (lengthBytes: number) => (data: Buffer | null) => {
  if (data === null) return true;
  let at = 0;
  while (at + lengthBytes < data.length) {
    const size = data.readUIntBE(at, lengthBytes);
    if (size === 0) return false;
    at += lengthBytes + size;
  }
  return at === data.length;
};

/** Checks AV1 units (AV1 specification 5.3): valid types, and a size in every header except the last. */
function isCompleteAv1(data: Buffer | null): boolean {
  if (data === null) return true;
  let at = 0;
  while (at < data.length) {
    const header = data[at++];
    const type = (header >> 3) & 15;
    if ((header & 0x80) !== 0 || type === 0 || (type > 8 && type < 15)) return false;
    if ((header & 4) !== 0) at++;
    if ((header & 2) === 0) return true;
    let size = 0;
    for (let shift = 0; shift < 56; shift += 7) {
      const byte = data[at++];
      size += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    at += size;
  }
  return at === data.length;
}

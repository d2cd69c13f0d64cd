import { closeSync, openSync, readSync } from 'node:fs';
import {
  AV_NOPTS_VALUE,
  AV_PKT_FLAG_CORRUPT,
  AV_PKT_FLAG_DISCARD,
  AV_PKT_FLAG_KEY,
  AVERROR_EOF,
} from 'node-av/constants';
import type { FormatContext, Packet, Stream } from 'node-av/lib';
import { advance } from '#io/processes';
import { wholenessOf } from './wholeness.ts';

/** Every packet of one video stream, in the order they are stored (which is the order of decoding). */
export interface PacketIndex {
  readonly count: number;
  /** Presentation stamps in ticks of the stream's time base. */
  readonly pts: Float64Array;
  readonly bytes: Int32Array;
  /** 1 where decoding can start. */
  readonly key: Uint8Array;
  /** Byte offsets in the file; -1 where the container does not say. */
  readonly offset: Float64Array;
  /** All positions, in the order of their stamps. */
  readonly byStamp: Int32Array;
  /** Positions of the packets that are shown, in the order they are shown. */
  readonly shown: Int32Array;
  /** Whether `pts` are stamps of the file or only positions. */
  readonly stamped: boolean;
  /** 1 for packets the demuxer marked as damaged, or whose parts do not add up. */
  readonly broken: Uint8Array;
  /** How many of these there are. */
  readonly damaged: number;
  /** Why reading ended before the end of the file; null when it did not. */
  readonly error: number | null;
}

/** Reads through the file without decoding. `content`: what packets hold is looked at. */
export function indexPackets(
  format: FormatContext,
  stream: Stream,
  packet: Packet,
  content: PacketBytes | null,
): PacketIndex {
  const isWhole = wholenessOf(stream.codecpar);
  const pts: number[] = [];
  const bytes: number[] = [];
  const key: number[] = [];
  const offset: number[] = [];
  const hidden = new Set<number>();
  const broken: number[] = [];
  let unstamped = 0;
  let code = format.readFrameSync(packet);
  for (; code >= 0; code = format.readFrameSync(packet)) {
    advance();
    if (packet.streamIndex === stream.index) {
      const flags: number = packet.flags;
      const stamp = stampOf(packet);
      if (stamp === null) unstamped++;
      const whole = content?.areWhole(packet, isWhole) ?? true;
      broken.push((flags & AV_PKT_FLAG_CORRUPT) !== 0 || !whole ? 1 : 0);
      // Packets before an edit list's start are decoded and not shown.
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

/** The stamp by which a packet and the frame decoded from it are matched; null when the file has none. */
function stampOf(packet: Packet): number | null {
  const { pts } = packet;
  if (pts !== AV_NOPTS_VALUE) return Number(pts);
  const { dts } = packet;
  return dts === AV_NOPTS_VALUE ? null : Number(dts);
}

/** First place in a list of positions, sorted by stamp, whose stamp is at or after `pts`. */
export function placeFrom(index: PacketIndex, sorted: Int32Array, pts: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (index.pts[sorted[middle]] < pts) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position of a packet just read; -1 when it is not one of the index. */
export function positionOf(index: PacketIndex, packet: Packet): number {
  const stamp = stampOf(packet);
  if (stamp === null) return -1;
  const offset = Number(packet.pos);
  const first = placeFrom(index, index.byStamp, stamp);
  for (let i = first; i < index.count && index.pts[index.byStamp[i]] === stamp; i++) {
    const position = index.byStamp[i];
    if (index.offset[position] === offset && index.bytes[position] === packet.size) return position;
  }
  return -1;
}

/**
 * Bytes of packets, read into one buffer where they lie in the file as they are: each `packet.data` is a copy of its own,
 * and thousands of them are most of what the process would hold.
 */
export class PacketBytes {
  readonly #fd: number | null;
  /** Read ahead, since packets follow one another: hundreds of them a read. */
  #buffer: Buffer = Buffer.alloc(1 << 18);
  #at = 0;
  #length = 0;

  /** To be closed. */
  constructor(format: FormatContext, path: string) {
    // Elsewhere a packet's position is that of a header, or its bytes are not those of the file.
    this.#fd = format.iformat?.name?.startsWith('mov,') === true ? openSync(path, 'r') : null;
  }

  /** Whether `isWhole` says so of a packet. */
  areWhole(packet: Packet, isWhole: (data: Buffer | null) => boolean): boolean {
    const inFile = this.#inFile(Number(packet.pos), packet.size);
    return (inFile !== null && isWhole(inFile)) || isWhole(packet.data);
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
  }

  #inFile(position: number, size: number): Buffer | null {
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

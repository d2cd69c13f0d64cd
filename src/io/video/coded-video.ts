import type { Demuxer, Packet, Stream } from 'node-av';
import { messageOf } from '#core';
import type { ListedPacket } from './packet-runs.ts';
import { unreadableVideo, type VideoFacts, videoFacts } from './video-facts.ts';

type Av = typeof import('node-av');

/** Packets between two turns of the event loop, in which a stop is heard. */
const breath = 256;

interface Ratio {
  readonly num: number;
  readonly den: number;
}

/** The first video stream of a file, its packets listed without decoding. */
export interface CodedVideo extends VideoFacts {
  readonly path: string;
  readonly stream: Stream;
  /** Seconds a tick. */
  readonly tick_s: number;
  /** What stamps of `packets` count. */
  readonly time_base: Ratio;
  readonly frame_rate: Ratio;
  readonly packets: readonly ListedPacket[];
  /** Two files with the same text can share one container: codec, size, pixel format, time base, parameter sets. */
  readonly coding: string;
  /** Hands over the packets at these places, in rising order; each is valid until the next. */
  read(places: ReadonlySet<number>): AsyncIterable<readonly [place: number, packet: Packet]>;
  close(): Promise<void>;
}

/** Opens a file and lists its packets. Throws `unreadable_input` where it is no video or is cut off. */
export async function openCodedVideo(path: string): Promise<CodedVideo> {
  const av = await import('node-av');
  av.Log.setLevel(av.AV_LOG_ERROR);
  const demuxer = await open(av, path);
  const stream = demuxer.video();
  if (stream === undefined) {
    await demuxer.close();
    throw unreadableVideo(path, 'it has no video stream');
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
    coding: codingOf(stream),
    read: (places) => readPackets(av, path, places),
    close: () => demuxer.close(),
  };
}

async function open(av: Av, path: string): Promise<Demuxer> {
  try {
    return await av.Demuxer.open(path);
  } catch (thrown) {
    throw unreadableVideo(path, messageOf(thrown));
  }
}

async function listPackets(av: Av, demuxer: Demuxer, stream: Stream): Promise<ListedPacket[]> {
  const packets: ListedPacket[] = [];
  for (const packet of packetsOf(av, demuxer, stream)) {
    const { pts, dts, duration, isKeyframe: key } = packet;
    packets.push({ pts: Number(pts), dts: Number(dts), duration: Number(duration), key });
    if (packets.length % breath === 0) await new Promise(setImmediate);
  }
  return packets;
}

/** A second pass over the file: what it reads lies in the page cache, and nothing is held. */
async function* readPackets(av: Av, path: string, places: ReadonlySet<number>) {
  let last = -1;
  for (const place of places) last = Math.max(last, place);
  const demuxer = await open(av, path);
  try {
    let place = 0;
    for (const packet of packetsOf(av, demuxer, demuxer.video())) {
      if (place > last) break;
      if (places.has(place)) yield [place, packet] as const;
      place += 1;
      if (place % breath === 0) await new Promise(setImmediate);
    }
  } finally {
    await demuxer.close();
  }
}

/**
 * Packets as they are stored, each valid until the next. The library's own generators move stamps where a recording has
 * a hole, copy each packet, and take five times as long; a turn of the event loop for each, ten times.
 */
function* packetsOf(av: Av, demuxer: Demuxer, stream: Stream | undefined): Generator<Packet> {
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

function codingOf({ codecpar, timeBase }: Stream): string {
  const { codecId, width, height, format, profile, extradata } = codecpar;
  const parts = [codecId, width, height, format, profile, timeBase.num, timeBase.den];
  return `${parts.join(' ')} ${extradata?.toString('base64') ?? ''}`;
}

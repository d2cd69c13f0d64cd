import type { FormatContext, Packet, Stream } from 'node-av';
import { AssayError } from '#core';
import type { CodedVideo } from './coded-video.ts';
import { decodablePackets, findRun, type Placement, packetRuns, placeRun } from './packet-runs.ts';

/** Time range of a video file in seconds; `until_s` is exclusive. */
export interface VideoSpan {
  readonly from_s: number;
  readonly until_s: number;
}

/** Result of copying spans. */
export interface CopiedVideo {
  /** For each span in order: the position of its `from_s` in the new file. */
  readonly from_s: readonly number[];
  readonly frames: number;
}

/**
 * Stamps in the container and in metadata are rounded differently; stamps within this fraction of a frame are equal.
 */
const halfFrame = 0.5;

/**
 * Writes an MP4 from parts of other files without decoding: the packets are copied with new stamps. Frames that are
 * only needed to decode the first frame of a span come before its `from_s`.
 */
export class PacketCopier {
  bytes = 0;
  readonly path: string;
  readonly coding: string;
  readonly #output: FormatContext;
  readonly #stream: Stream;
  #lastPlacement: Placement | null = null;

  private constructor(path: string, coding: string, output: FormatContext, stream: Stream) {
    this.path = path;
    this.coding = coding;
    this.#output = output;
    this.#stream = stream;
  }

  /**
   * Creates an MP4 at `path` for packets with the coding of `like`; throws `output_unwritable`. With `hides`, stamps
   * may be negative: frames before 0 are hidden by the edit list of the file.
   */
  static async open(
    path: string,
    like: CodedVideo,
    { hides = false }: { hides?: boolean } = {},
  ): Promise<PacketCopier> {
    const av = await import('node-av');
    const output = new av.FormatContext();
    requireSuccess(output.allocOutputContext2(null, 'mp4', path), 'cannot create the container', path);
    const stream = output.newStream();
    const { codecpar } = like.stream;
    requireSuccess(codecpar.copy(stream.codecpar), 'cannot copy the codec parameters', path);
    stream.codecpar.codecTag = 0;
    stream.timeBase = new av.Rational(like.time_base.num, like.time_base.den);
    stream.avgFrameRate = new av.Rational(like.frame_rate.num, like.frame_rate.den);
    requireSuccess(await output.openOutput(), 'cannot open the file', path);
    const early = hides ? { avoid_negative_ts: 'disabled' } : {};
    const flags = av.Dictionary.fromObject({ movflags: 'faststart', ...early });
    requireSuccess(await output.writeHeader(flags), 'cannot write the header', path);
    return new PacketCopier(path, like.coding, output, stream);
  }

  /**
   * Appends the frames of ascending spans and returns where each span starts in the new file, in seconds; throws
   * `unreadable_input` if a span contains no frame.
   */
  async append(video: CodedVideo, spans: readonly VideoSpan[]): Promise<CopiedVideo> {
    const ticks = spans.map((span) => toTicks(span, video));
    const packetShifts = new Map<number, number>();
    const runs = packetRuns(video.packets, ticks);
    const shifts = runs.map((run) => {
      const copied = decodablePackets(video.packets, run);
      this.#lastPlacement = placeRun(video.packets, copied, this.#lastPlacement);
      for (const packetNumber of copied) packetShifts.set(packetNumber, this.#lastPlacement.shift);
      return this.#lastPlacement.shift;
    });
    const from_s = spans.map((span, index) => {
      const run = findRun(video.packets, runs, ticks[index]);
      if (run === -1) throw emptySpanError(video.path, span);
      return span.from_s + shifts[run] * video.tick_s;
    });
    await this.#copy(video, packetShifts);
    return { from_s, frames: packetShifts.size };
  }

  /** Writes the index and closes the file; throws `output_unwritable` if that fails. */
  async close(): Promise<void> {
    const written = await this.#output.writeTrailer();
    await this.#output.closeOutput();
    this.#output.freeContext();
    requireSuccess(written, 'cannot write the index', this.path);
  }

  async #copy(video: CodedVideo, packetShifts: ReadonlyMap<number, number>): Promise<void> {
    for await (const [packetNumber, packet] of video.read(new Set(packetShifts.keys())))
      this.write(packet, packetNumber, packetShifts.get(packetNumber) ?? 0, video);
  }

  /**
   * Writes packet number `packetNumber` of the source with its stamps shifted by `shift` ticks; the packet is empty
   * afterwards.
   */
  write(packet: Packet, packetNumber: number, shift: number, { packets, time_base, path }: CodedVideo): void {
    const { pts, dts, duration } = packets[packetNumber];
    packet.pts = BigInt(pts + shift);
    packet.dts = BigInt(dts + shift);
    packet.duration = BigInt(duration);
    this.bytes += packet.size;
    packet.streamIndex = 0;
    packet.rescaleTs(time_base, this.#stream.timeBase);
    const written = this.#output.interleavedWriteFrameSync(packet);
    requireSuccess(written, `cannot write a frame of ${path}`, this.path);
  }
}

/** The packets copied for a span that becomes its own file. */
interface SpanPackets {
  /** Packet numbers in decoding order. */
  readonly packets: ReadonlySet<number>;
  readonly first: number;
  readonly last: number;
  /** Ticks added to stamps so that the first frame is shown at 0. */
  readonly shift: number;
  /** Number of frames shown before the first frame. */
  readonly hidden: number;
}

/** Determines the packets to copy for a span. Throws `unreadable_input` if it contains no frame. */
function spanPackets(video: CodedVideo, span: VideoSpan): SpanPackets {
  const ticks = toTicks(span, video);
  const [run] = packetRuns(video.packets, [ticks]);
  if (run === undefined) throw emptySpanError(video.path, span);
  const copied = decodablePackets(video.packets, run);
  const stamps = copied.map((packetNumber) => video.packets[packetNumber].pts);
  const begin = stamps.filter((pts) => pts >= ticks.from).reduce((smallest, pts) => Math.min(smallest, pts));
  return {
    packets: new Set(copied),
    first: run.first,
    last: run.last,
    shift: -begin,
    hidden: stamps.filter((pts) => pts < begin).length,
  };
}

function toTicks({ from_s, until_s }: VideoSpan, { packets, tick_s }: CodedVideo) {
  const half = Math.floor((packets.find(({ duration }) => duration > 0)?.duration ?? 2) * halfFrame);
  return { from: Math.round(from_s / tick_s) - half, until: Math.round(until_s / tick_s) };
}

function emptySpanError(path: string, { from_s, until_s }: VideoSpan): AssayError {
  return new AssayError('unreadable_input', `${path} has no frame from ${from_s} to ${until_s} s`, {
    path,
    advice: 'exclude the episode, or restore the file from its source',
  });
}

function requireSuccess(result: number, what: string, path: string): void {
  if (result >= 0) return;
  throw new AssayError('output_unwritable', `${path}: ${what} (code ${result})`, {
    path,
    advice: 'check that the folder is writable and the disk is not full',
  });
}

/**
 * Copies each span of a video to its own file, whose first frame is shown at 0, and returns for each the number of
 * hidden frames before 0, which exist only to decode it. The source is read once; players skip the hidden frames.
 * @throws AssayError `unreadable_input` if a span contains no frame, and `output_unwritable`
 */
export async function copySpans(
  video: CodedVideo,
  spans: readonly VideoSpan[],
  paths: readonly string[],
): Promise<number[]> {
  const parts = spans.map((span) => spanPackets(video, span));
  const allPackets = new Set(parts.flatMap(({ packets: copied }) => [...copied]));
  const open = new Map<number, PacketCopier>();
  let next = 0;
  try {
    for await (const [packetNumber, packet] of video.read(allPackets)) {
      for (; next < parts.length && parts[next].first <= packetNumber; next++)
        open.set(next, await PacketCopier.open(paths[next], video, { hides: true }));
      for (const [at, copier] of open) {
        const { packets: copied, shift, last } = parts[at];
        const packetCopy = copied.has(packetNumber) ? packet.clone() : null;
        if (packetCopy !== null) copier.write(packetCopy, packetNumber, shift, video);
        packetCopy?.free();
        if (packetNumber < last) continue;
        open.delete(at);
        await copier.close();
      }
    }
  } finally {
    for (const copier of open.values()) await copier.close();
  }
  return parts.map(({ hidden }) => hidden);
}

import type { FormatContext, Packet, Stream } from 'node-av';
import { AssayError } from '#core';
import type { CodedVideo } from './coded-video.ts';
import { keptOf, type Placement, packetRuns, placeRun, runWith } from './packet-runs.ts';

/** Seconds of a video file; `until_s` is exclusive. */
export interface VideoSpan {
  readonly from_s: number;
  readonly until_s: number;
}

/** What of a file was copied. */
export interface CopiedVideo {
  /** For each span, in order: where its `from_s` lies in the new file. */
  readonly from_s: readonly number[];
  readonly frames: number;
}

/** Stamps of a container and of the metadata beside it are rounded differently; within half a frame they are one. */
const early = 0.5;

/**
 * Writes one MP4 from parts of others without decoding: the packets are the recorder's own, with other stamps. Frames
 * that only help to decode the first of a span lie before its `from_s`.
 */
export class PacketCopier {
  bytes = 0;
  readonly path: string;
  readonly coding: string;
  readonly #output: FormatContext;
  readonly #stream: Stream;
  #before: Placement | null = null;

  private constructor(path: string, coding: string, output: FormatContext, stream: Stream) {
    this.path = path;
    this.coding = coding;
    this.#output = output;
    this.#stream = stream;
  }

  /**
   * Opens `path` for packets coded as those of `like`. With `hides`, stamps may lie before 0: what is shown there is left
   * out by the file's edit list. Throws `output_unwritable`.
   */
  static async open(
    path: string,
    like: CodedVideo,
    { hides = false }: { hides?: boolean } = {},
  ): Promise<PacketCopier> {
    const av = await import('node-av');
    const output = new av.FormatContext();
    expect(output.allocOutputContext2(null, 'mp4', path), 'the container could not be made', path);
    const stream = output.newStream();
    const { codecpar } = like.stream;
    expect(codecpar.copy(stream.codecpar), 'the codec could not be taken over', path);
    stream.codecpar.codecTag = 0;
    stream.timeBase = new av.Rational(like.time_base.num, like.time_base.den);
    stream.avgFrameRate = new av.Rational(like.frame_rate.num, like.frame_rate.den);
    expect(await output.openOutput(), 'the file could not be opened', path);
    const early = hides ? { avoid_negative_ts: 'disabled' } : {};
    const flags = av.Dictionary.fromObject({ movflags: 'faststart', ...early });
    expect(await output.writeHeader(flags), 'the header could not be written', path);
    return new PacketCopier(path, like.coding, output, stream);
  }

  /** Copies the frames of the spans, which rise. Throws `unreadable_input` where a span holds no frame. */
  async append(video: CodedVideo, spans: readonly VideoSpan[]): Promise<CopiedVideo> {
    const ticks = spans.map((span) => ticksOf(span, video));
    const places = new Map<number, number>();
    const runs = packetRuns(video.packets, ticks);
    const shifts = runs.map((run) => {
      const kept = keptOf(video.packets, run);
      this.#before = placeRun(video.packets, kept, this.#before);
      for (const place of kept) places.set(place, this.#before.shift);
      return this.#before.shift;
    });
    const from_s = spans.map((span, index) => {
      const run = runWith(video.packets, runs, ticks[index]);
      if (run === -1) throw empty(video.path, span);
      return span.from_s + shifts[run] * video.tick_s;
    });
    await this.#copy(video, places);
    return { from_s, frames: places.size };
  }

  async close(): Promise<void> {
    const written = await this.#output.writeTrailer();
    await this.#output.closeOutput();
    this.#output.freeContext();
    expect(written, 'the index could not be written', this.path);
  }

  async #copy(video: CodedVideo, places: ReadonlyMap<number, number>): Promise<void> {
    for await (const [place, packet] of video.read(new Set(places.keys())))
      this.write(packet, place, places.get(place) ?? 0, video);
  }

  /** Writes the packet at a place of the source, its stamps moved by so many ticks; it is empty afterwards. */
  write(packet: Packet, place: number, shift: number, { packets, time_base, path }: CodedVideo): void {
    const { pts, dts, duration } = packets[place];
    packet.pts = BigInt(pts + shift);
    packet.dts = BigInt(dts + shift);
    packet.duration = BigInt(duration);
    this.bytes += packet.size;
    packet.streamIndex = 0;
    packet.rescaleTs(time_base, this.#stream.timeBase);
    const written = this.#output.interleavedWriteFrameSync(packet);
    expect(written, `a frame of ${path} could not be written`, this.path);
  }
}

/** What is copied of a span that gets a file of its own. */
export interface SpanPackets {
  /** Places in decoding order. */
  readonly kept: ReadonlySet<number>;
  readonly first: number;
  readonly last: number;
  /** Ticks by which stamps are moved, so that the first frame is shown at 0. */
  readonly shift: number;
  /** How many frames are shown before it. */
  readonly hidden: number;
}

/** Throws `unreadable_input` where the span holds no frame. */
export function spanPackets(video: CodedVideo, span: VideoSpan): SpanPackets {
  const ticks = ticksOf(span, video);
  const [run] = packetRuns(video.packets, [ticks]);
  if (run === undefined) throw empty(video.path, span);
  const kept = keptOf(video.packets, run);
  const stamps = kept.map((place) => video.packets[place].pts);
  const begin = stamps.filter((pts) => pts >= ticks.from).reduce((least, pts) => Math.min(least, pts));
  return {
    kept: new Set(kept),
    first: run.first,
    last: run.last,
    shift: -begin,
    hidden: stamps.filter((pts) => pts < begin).length,
  };
}

function ticksOf({ from_s, until_s }: VideoSpan, { packets, tick_s }: CodedVideo) {
  const half = Math.floor((packets.find(({ duration }) => duration > 0)?.duration ?? 2) * early);
  return { from: Math.round(from_s / tick_s) - half, until: Math.round(until_s / tick_s) };
}

function empty(path: string, { from_s, until_s }: VideoSpan): AssayError {
  return new AssayError('unreadable_input', `${path} has no frame from ${from_s} to ${until_s} s`, {
    path,
    advice: 'leave the episode out, or restore the file from its source',
  });
}

function expect(result: number, what: string, path: string): void {
  if (result >= 0) return;
  throw new AssayError('output_unwritable', `${path}: ${what} (code ${result})`, {
    path,
    advice: 'check that the folder may be written to and that the disk is not full',
  });
}

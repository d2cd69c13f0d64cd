import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { CodecContext, FFVideoEncoder, FormatContext, Packet, Stream } from 'node-av';
import { AssayError } from '#core';
import { mimeType } from './mime-type.ts';

/** Settings of a written video. */
export interface VideoSettings {
  readonly width_px: number;
  readonly height_px: number;
  /** Frames per second, an integer so that stamps are exact. */
  readonly rate_hz: number;
  /** Ticks per second for frames with individual stamps. Defaults to `rate_hz`. */
  readonly ticks_hz?: number;
  /**
   * Encoder: x264, x265, SVT-AV1 (as LeRobot writes it), or MPEG-4 part 2, which every build contains. Default `h264`.
   */
  readonly codec?: 'h264' | 'h265' | 'av1' | 'mpeg4';
  /** Frames between key frames. Default 2, so that single frames are cheap to reach. */
  readonly keyframe_every?: number;
  /** Constant rate factor. Default 26 for x264, 28 for x265, 30 for SVT-AV1. */
  readonly quality?: number;
}

/** Writes one MP4 file. Frame k has exactly the stamp k / rate, starting at 0, unless ticks are given. */
export interface VideoWriter {
  readonly frames: number;
  /** Media type with profile and level; null for codecs that no browser plays. */
  readonly mime: string | null;
  /**
   * Writes a frame of planar YUV 4:2:0 (Y, U, V without padding), shown from `tick` on; ticks must increase. The buffer
   * may be reused once this resolves.
   */
  write(yuv420p: Uint8Array, tick?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a video file for writing, replacing an existing one; throws `output_unwritable` if the file or the encoder
 * cannot be opened.
 */
export async function openVideoWriter(path: string, settings: VideoSettings): Promise<VideoWriter> {
  const av = await import('node-av');
  av.Log.setLevel(av.AV_LOG_ERROR);
  const codecName = settings.codec ?? 'h264';
  const name = encoderName(codecName);
  const codec = av.Codec.findEncoderByName(name);
  if (codec === null)
    throw new AssayError('output_unwritable', `this build has no encoder ${name}`, { path });
  const context = new av.CodecContext();
  context.allocContext3(codec);
  context.width = settings.width_px;
  context.height = settings.height_px;
  context.pixelFormat = av.AV_PIX_FMT_YUV420P;
  const ticks_hz = settings.ticks_hz ?? settings.rate_hz;
  context.timeBase = new av.Rational(1, ticks_hz);
  context.framerate = new av.Rational(settings.rate_hz, 1);
  context.gopSize = settings.keyframe_every ?? 2;
  context.maxBFrames = 0;
  context.threadCount = 1;
  context.setFlags(av.AV_CODEC_FLAG_GLOBAL_HEADER);
  const options = av.Dictionary.fromObject(encoderOptions(codecName, settings.quality));
  const threadsBefore = codecName === 'av1' ? realTimeThreads() : [];
  requireSuccess(await context.open2(codec, options), `cannot open the encoder ${name}`, path);
  if (codecName === 'av1') await resetThreadPriority(threadsBefore, path);
  const output = new av.FormatContext();
  requireSuccess(output.allocOutputContext2(null, 'mp4', path), 'cannot create the container', path);
  const stream = output.newStream(codec);
  stream.timeBase = new av.Rational(1, ticks_hz);
  stream.avgFrameRate = new av.Rational(settings.rate_hz, 1);
  stream.codecpar.fromContext(context);
  requireSuccess(await output.openOutput(), 'cannot open the file', path);
  const flags = av.Dictionary.fromObject({ movflags: 'faststart' });
  requireSuccess(await output.writeHeader(flags), 'cannot write the header', path);
  const packet = new av.Packet();
  packet.alloc();
  const frame_ticks = Math.max(1, Math.round(ticks_hz / settings.rate_hz));
  const session: Session = { context, output, stream, packet, path, ticks_hz, frame_ticks };
  return new Mp4Writer(session, settings, av);
}

type VideoCodec = NonNullable<VideoSettings['codec']>;

// Otherwise SVT-AV1 prints its settings to standard error.
process.env.SVT_LOG ??= '1';

function encoderName(codec: VideoCodec) {
  return ({ h264: 'libx264', h265: 'libx265', av1: 'libsvtav1', mpeg4: 'mpeg4' } as const)[
    codec
  ] as FFVideoEncoder;
}

function encoderOptions(codec: VideoCodec, quality: number | undefined): Record<string, string> {
  if (codec === 'h264') return { preset: 'ultrafast', crf: String(quality ?? 26) };
  if (codec === 'h265')
    return { preset: 'ultrafast', crf: String(quality ?? 28), 'x265-params': 'log-level=none' };
  return codec === 'av1' ? { crf: String(quality ?? 30) } : {};
}

interface Session {
  readonly context: CodecContext;
  readonly output: FormatContext;
  readonly stream: Stream;
  readonly packet: Packet;
  readonly path: string;
  readonly ticks_hz: number;
  readonly frame_ticks: number;
}

class Mp4Writer implements VideoWriter {
  frames = 0;
  readonly mime: string | null;
  readonly #session: Session;
  readonly #settings: VideoSettings;
  readonly #av: typeof import('node-av');

  constructor(session: Session, settings: VideoSettings, av: typeof import('node-av')) {
    this.#session = session;
    this.mime = mimeType(session.stream.codecpar);
    this.#settings = settings;
    this.#av = av;
  }

  async write(yuv420p: Uint8Array, tick = this.frames * this.#session.frame_ticks): Promise<void> {
    const buffer = Buffer.from(yuv420p.buffer, yuv420p.byteOffset, yuv420p.byteLength);
    const frame = this.#av.Frame.fromVideoBuffer(buffer, {
      width: this.#settings.width_px,
      height: this.#settings.height_px,
      format: this.#av.AV_PIX_FMT_YUV420P,
      timeBase: { num: 1, den: this.#session.ticks_hz },
      pts: BigInt(tick),
    });
    this.frames += 1;
    const sent = await this.#session.context.sendFrame(frame);
    frame.free();
    requireSuccess(sent, `cannot encode frame ${this.frames - 1}`, this.#session.path);
    await drain(this.#session);
  }

  async close(): Promise<void> {
    const { context, output, packet, path } = this.#session;
    await context.sendFrame(null);
    await drain(this.#session);
    const written = await output.writeTrailer();
    await output.closeOutput();
    packet.free();
    context.freeContext();
    output.freeContext();
    requireSuccess(written, 'cannot write the index', path);
  }
}

/** Writes the packets that the encoder has finished. */
async function drain({
  context,
  output,
  stream,
  packet,
  path,
  ticks_hz,
  frame_ticks,
}: Session): Promise<void> {
  while ((await context.receivePacket(packet)) >= 0) {
    packet.streamIndex = 0;
    packet.duration = BigInt(frame_ticks);
    packet.rescaleTs({ num: 1, den: ticks_hz }, stream.timeBase);
    requireSuccess(await output.interleavedWriteFrame(packet), 'cannot write a frame', path);
    packet.unref();
  }
}

function requireSuccess(result: number, what: string, path: string): void {
  if (result < 0) {
    throw new AssayError('output_unwritable', `${path}: ${what} (code ${result})`, {
      path,
      advice: 'check that the folder is writable and the disk is not full',
    });
  }
}

/** Linux real-time scheduling policies (SCHED_FIFO, SCHED_RR). */
const realTimePolicies: ReadonlySet<string> = new Set(['1', '2']);
/** Index of the policy in /proc/PID/stat, counted after the name in brackets, which may contain spaces. */
const policyField = 38;

/** Returns the ids of threads of this process with real-time priority; empty on other systems than Linux. */
export function realTimeThreads(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/task').filter((thread) => {
    try {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return realTimePolicies.has(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[policyField]);
    } catch {
      // The thread has ended meanwhile.
      return false;
    }
  });
}

/**
 * Resets threads that were created since `threadsBefore` to normal priority; throws `output_unwritable` if that fails.
 * SVT-AV1 takes real-time priority for its threads where it may (as root), which starves the machine.
 */
export async function resetThreadPriority(threadsBefore: readonly string[], path: string): Promise<void> {
  const added = realTimeThreads().filter((thread) => !threadsBefore.includes(thread));
  if (added.length === 0) return;
  const all = 'for thread in "$@"; do chrt --other --pid 0 "$thread"; done';
  const failed = await promisify(execFile)('/bin/sh', ['-c', all, 'sh', ...added]).then(
    () => null,
    (thrown: Error) => thrown,
  );
  const remaining = realTimeThreads().filter((thread) => added.includes(thread));
  if (remaining.length === 0) return;
  throw new AssayError(
    'output_unwritable',
    `SVT-AV1 runs ${remaining.length} threads with real-time priority, and chrt could not reset it: ${failed?.message ?? 'no error message'}`,
    { path, advice: 'run as a non-root user, install util-linux, or choose --video h264' },
  );
}

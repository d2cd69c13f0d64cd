import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError } from '#core';
import type { PictureEncoding } from '#core/episode';
import {
  type CameraPictures,
  type CodedVideo,
  copySpans,
  type EvenVideo,
  openCodedVideo,
  PacketCopier,
  restampEvenly,
  spoolUnits,
  type VideoSpan,
} from '#io/video';
import type { ExportEpisode } from '../../../shared/write/set/export-episode.ts';
import { EncodedVideos, type EncodedVideosOptions } from '../encoded-videos.ts';
import { codecNames, type VideoEncoding } from '../encoding.ts';
import type { VideoPlacement } from '../layouts/layout.ts';
import { PictureSamples } from '../picture-samples.ts';
import type { CameraStatistics } from '../statistics.ts';
import type { WrittenCamera } from './recorded-features.ts';

/** Options for writing a camera. */
export interface CameraVideosOptions extends Omit<EncodedVideosOptions, 'nextFile' | 'codec' | 'size'> {
  /** Path prefix for temporary files. */
  readonly scratch: string;
  /** Target coding; null to copy whatever can be copied. */
  readonly encoding: VideoEncoding | null;
}

type Format = Omit<WrittenCamera, 'key'>;
type WrittenVideo = VideoPlacement & { readonly statistics: CameraStatistics };

/** Number of copied episodes, hidden frames, and encoded episodes by reason. */
export interface VideoCounts {
  copied: number;
  hidden_frames: number;
  readonly encoded: Map<string, number>;
}

/** Writes one camera into video files, episode by episode: frames are copied if possible, else encoded. */
export class CameraVideos {
  readonly counts: VideoCounts = { copied: 0, hidden_frames: 0, encoded: new Map() };
  readonly #stream: string;
  readonly #options: CameraVideosOptions;
  readonly #encoded: EncodedVideos;
  /** LeRobot's name of the target codec. */
  readonly #codec: string;
  #format: Format | null = null;
  #copier: PacketCopier | null = null;
  /** Number of files begun so far. */
  #files = 0;
  #file = -1;

  constructor(key: string, stream: string, options: CameraVideosOptions) {
    this.#stream = stream;
    this.#options = options;
    const nextFile = () => this.#files++;
    const { codec = 'h264', size } = options.encoding ?? {};
    this.#codec = codecNames[codec];
    this.#encoded = new EncodedVideos(key, {
      ...options,
      codec,
      nextFile,
      ...(size === undefined ? {} : { size }),
    });
  }

  /**
   * Writes the frames of an episode, copied if possible and else encoded, and returns their location and statistics;
   * counts them in `counts`. Throws `usage` if a picture is missing or has another size.
   */
  async add(episode: ExportEpisode): Promise<WrittenVideo> {
    const { rate_hz, scratch } = this.#options;
    const frames = await openCopyableFrames(episode, { stream: this.#stream, rate_hz, scratch });
    if (typeof frames === 'string') return this.#encode(episode, frames);
    try {
      const requested = this.#findEncodeReason(frames);
      if (requested !== null) return await this.#encode(episode, requested);
      const statistics = await this.#sample(episode);
      const placed = await this.#copy(episode, frames);
      this.counts.copied++;
      this.counts.hidden_frames += placed.hidden_frames;
      return { ...placed, statistics };
    } finally {
      await frames.close();
    }
  }

  /** Codec of encoded frames. */
  get codec(): string {
    return this.#options.encoding?.codec ?? 'h264';
  }

  /** Format of the written frames; size 0 if none was written. */
  get format(): Format {
    return this.#format ?? { width_px: 0, height_px: 0, codec: this.#codec, pixel_format: 'yuv420p' };
  }

  /** Closes the open file, if any. */
  async close(): Promise<void> {
    await this.#encoded.close();
    await this.#endCopy();
  }

  async #endCopy(): Promise<void> {
    const copier = this.#copier;
    this.#copier = null;
    await copier?.close();
  }

  /** Returns the reason to encode frames that could be copied; null to copy them. */
  #findEncodeReason({ video, codec, pixel_format }: CopyableFrames): string | null {
    const { encoding } = this.#options;
    if (encoding === null) return null;
    if (codec !== this.#codec || pixel_format !== 'yuv420p')
      return `its video is ${codec}, but ${this.#codec} was requested`;
    const { width, height } = video.stream.codecpar;
    const [width_px, height_px] = encoding.size ?? [width, height];
    if (width === width_px && height === height_px) return null;
    return `its frames are ${width}x${height} px, but ${width_px}x${height_px} px was requested`;
  }

  async #encode(episode: ExportEpisode, reason: string): Promise<WrittenVideo> {
    this.counts.encoded.set(reason, (this.counts.encoded.get(reason) ?? 0) + 1);
    await this.#endCopy();
    const { id } = episode.episode;
    const frames = episode.decodedRows(this.#stream);
    const written = await this.#encoded.add({ id, rows: episode.rows, frames });
    const [width_px, height_px] = this.#encoded.size ?? [0, 0];
    this.#requireSize(episode, { width_px, height_px, codec: this.#codec, pixel_format: 'yuv420p' });
    return written;
  }

  async #copy(episode: ExportEpisode, frames: CopyableFrames): Promise<VideoPlacement> {
    await this.#encoded.close();
    const { video, span, codec, pixel_format } = frames;
    const { file_bytes, rate_hz } = this.#options;
    const { width: width_px, height: height_px } = video.stream.codecpar;
    this.#requireSize(episode, { width_px, height_px, codec, pixel_format });
    const seconds = episode.rows / rate_hz;
    if (file_bytes === 0) {
      const [hidden_frames] = await copySpans(video, [span], [await this.#nextPath()]);
      return { file: this.#file, from_s: 0, to_s: seconds, hidden_frames };
    }
    if (this.#copier?.coding !== video.coding) {
      await this.#endCopy();
      this.#copier = await PacketCopier.open(await this.#nextPath(), video);
    }
    const copier = this.#copier;
    const [from_s] = (await copier.append(video, [span])).from_s;
    if (copier.bytes > file_bytes) await this.#endCopy();
    return { file: this.#file, from_s, to_s: from_s + seconds, hidden_frames: 0 };
  }

  /** Decodes only the pictures that the statistics sample. */
  async #sample(episode: ExportEpisode): Promise<CameraStatistics> {
    const samples = new PictureSamples(episode.rows);
    const rows = [...samples.rows].sort((a, b) => a - b);
    const shown = episode.pictureIndices(this.#stream);
    const places = Int32Array.from(rows, (row) => shown[row]);
    let at = 0;
    for await (const frame of episode.decodedRows(this.#stream, places)) {
      this.#options.signal.throwIfAborted();
      if (frame !== null) samples.offer(rows[at], frame);
      if (at++ % 16 === 0) this.#options.onStep();
    }
    return samples.result();
  }

  async #nextPath(): Promise<string> {
    const { folder, pathOf } = this.#options;
    this.#file = this.#files++;
    const path = join(folder, pathOf(this.#file));
    await mkdir(dirname(path), { recursive: true });
    return path;
  }

  /** Throws `usage` if the size differs from that of earlier episodes. */
  #requireSize({ episode: { id } }: ExportEpisode, format: Format): void {
    this.#format ??= format;
    const { width_px, height_px } = this.#format;
    if (width_px === format.width_px && height_px === format.height_px) return;
    const sizes = `${format.width_px}x${format.height_px} px instead of ${width_px}x${height_px} px`;
    throw new AssayError(
      'usage',
      `${id}: frames of ${this.#stream} are ${sizes}; LeRobot requires one frame size per camera`,
      { advice: `exclude it with --without ${id}` },
    );
  }
}

/** Packets with the rows of an episode, stamped at the rate of the set. */
interface CopyableFrames {
  readonly video: CodedVideo;
  readonly span: VideoSpan;
  readonly codec: string;
  /** `yuv420p`. */
  readonly pixel_format: string;
  /** Closes the video and deletes its temporary file, if it has one. */
  close(): Promise<void>;
}

interface CopyRequest {
  readonly stream: string;
  readonly rate_hz: number;
  /** Path prefix for a temporary file. */
  readonly scratch: string;
}

const videoCodings: ReadonlySet<PictureEncoding | 'video-file'> = new Set([
  'h264',
  'h265',
  'av1',
  'vp9',
  'video-file',
]);

/** Opens the coded frames of an episode if each row is the next frame; otherwise returns the reason to encode. */
async function openCopyableFrames(
  episode: ExportEpisode,
  request: CopyRequest,
): Promise<CopyableFrames | string> {
  const places = episode.pictureIndices(request.stream);
  const pictures = episode.pictures(request.stream);
  if (!videoCodings.has(pictures.coding))
    return `it is stored as single images (${pictures.coding}), not as video`;
  if (places.some((place, row) => place < 0 || place !== places[0] + row))
    return 'resampling repeats or skips some of its frames';
  const { path, isSpool } = await resolveFile(pictures, request.scratch);
  if (path === null) return 'its frames are not stored in a separate file';
  const video = await openCodedVideo(path);
  const close = async () => {
    await video.close();
    if (isSpool) await rm(path, { force: true });
  };
  const found = await selectFrames(video, episode, pictures, request);
  if (typeof found !== 'string') return { ...found, close };
  await close();
  return found;
}

/** Returns the video file of a camera; single video units are first written to a temporary file. */
async function resolveFile({ coding, file, recorded }: CameraPictures, scratch: string) {
  if (coding === 'video-file') return { path: file?.path ?? null, isSpool: false };
  const extension = coding === 'h264' || coding === 'h265' ? coding : 'ivf';
  const path = `${scratch}.${extension === 'h265' ? 'hevc' : extension}`;
  await mkdir(dirname(path), { recursive: true });
  await spoolUnits(path, recorded());
  return { path, isSpool: true };
}

/** Selects the frames of an episode in a video; returns a reason if they cannot be copied. */
async function selectFrames(
  video: CodedVideo,
  episode: ExportEpisode,
  { file }: CameraPictures,
  { stream, rate_hz }: CopyRequest,
): Promise<Omit<CopyableFrames, 'close'> | string> {
  const format = await readFormat(video);
  if (typeof format === 'string') return format;
  const even = restampEvenly(video, rate_hz);
  if (typeof even === 'string') return even;
  const [from, count] = findSpan(even, file);
  const samples = episode.episode.streams.find(({ id }) => id === stream)?.sample_count ?? 0;
  if (count !== samples) return `its video file has ${count} frames, but the recording has ${samples}`;
  const first = from + (episode.pictureIndices(stream)[0] ?? 0);
  const begin = even.video.packets.find(({ pts }) => Math.round(pts * even.video.tick_s * rate_hz) === first);
  const starts = even.video.packets.some(({ key, pts }) => key && pts <= (begin?.pts ?? -1));
  if (!starts) return 'it has no keyframe at or before its first frame';
  const span = { from_s: first / rate_hz, until_s: (first + episode.rows - 0.5) / rate_hz };
  return { video: even.video, span, ...format };
}

/** Returns the first frame of the episode in the file, and its number of frames. */
function findSpan(
  { video, source_times_s: shown_s }: EvenVideo,
  file: CameraPictures['file'],
): [from: number, count: number] {
  const { length } = video.packets;
  if (file === undefined || shown_s === null) return [0, length];
  const half_s = length > 1 ? (shown_s[length - 1] - shown_s[0]) / (length - 1) / 2 : 0;
  const from = shown_s.findIndex((time) => time >= file.from_s - half_s);
  const until = shown_s.findIndex((time) => time >= file.until_s);
  const last = until === -1 ? length : until;
  return from === -1 ? [0, 0] : [from, last - from];
}

/** Returns codec and pixel format of a video; a reason if LeRobot cannot use it. */
async function readFormat({ stream }: CodedVideo) {
  const av = await import('node-av');
  const { codecId, width, height, format } = stream.codecpar;
  const codecs = new Map<number, string>([
    [av.AV_CODEC_ID_H264, 'h264'],
    [av.AV_CODEC_ID_HEVC, 'hevc'],
    [av.AV_CODEC_ID_AV1, 'av1'],
    [av.AV_CODEC_ID_VP9, 'vp9'],
  ]);
  const codec = codecs.get(codecId);
  if (codec === undefined) return 'its codec is not H.264, H.265, AV1 or VP9';
  if (width % 2 !== 0 || height % 2 !== 0) return `its frame size of ${width}x${height} px is not even`;
  if (stream.codecpar.getCodedSideData(av.AV_PKT_DATA_DISPLAYMATRIX) !== null)
    return 'its video file is marked as rotated';
  return { codec, pixel_format: av.avGetPixFmtName(format as import('node-av').AVPixelFormat) ?? 'yuv420p' };
}

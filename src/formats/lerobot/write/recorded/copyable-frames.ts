import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PictureEncoding } from '#core/episode';
import type { CameraPictures, VideoSpan } from '#io/video';
import { type CodedVideo, type EvenVideo, evenVideo, openCodedVideo, spoolUnits } from '#io/video';
import type { ExportEpisode } from '../../../shared/write/set/export-episode.ts';

/** Packets that hold the rows of an episode, stamped for the rate of the set. */
export interface CopyableFrames {
  readonly video: CodedVideo;
  readonly span: VideoSpan;
  readonly codec: string;
  /** `yuv420p`. */
  readonly pixel_format: string;
  close(): Promise<void>;
}

interface Wanted {
  readonly stream: string;
  readonly rate_hz: number;
  /** A file that may be written while they are copied. */
  readonly scratch: string;
}

const coded: ReadonlySet<PictureEncoding | 'video-file'> = new Set([
  'h264',
  'h265',
  'av1',
  'vp9',
  'video-file',
]);

/** The coded frames of a camera's rows, where each row is the next frame; else the reason why they are encoded again. */
export async function copyableFrames(
  episode: ExportEpisode,
  wanted: Wanted,
): Promise<CopyableFrames | string> {
  const places = episode.shown(wanted.stream);
  const pictures = episode.pictures(wanted.stream);
  if (!coded.has(pictures.coding))
    return `its pictures are coded one by one (${pictures.coding}), not as video`;
  if (places.some((place, row) => place < 0 || place !== places[0] + row))
    return 'rows repeat some of its frames or leave some out';
  const { path, isSpool } = await fileOf(pictures, wanted.scratch);
  if (path === null) return 'its frames lie in no file of their own';
  const video = await openCodedVideo(path);
  const close = async () => {
    await video.close();
    if (isSpool) await rm(path, { force: true });
  };
  const found = await framesIn(video, episode, pictures, wanted);
  if (typeof found !== 'string') return { ...found, close };
  await close();
  return found;
}

async function fileOf({ coding, file, recorded }: CameraPictures, scratch: string) {
  if (coding === 'video-file') return { path: file?.path ?? null, isSpool: false };
  const extension = coding === 'h264' || coding === 'h265' ? coding : 'ivf';
  const path = `${scratch}.${extension === 'h265' ? 'hevc' : extension}`;
  await mkdir(dirname(path), { recursive: true });
  await spoolUnits(path, recorded());
  return { path, isSpool: true };
}

async function framesIn(
  video: CodedVideo,
  episode: ExportEpisode,
  { file }: CameraPictures,
  { stream, rate_hz }: Wanted,
): Promise<Omit<CopyableFrames, 'close'> | string> {
  const format = await formatOf(video);
  if (typeof format === 'string') return format;
  const even = evenVideo(video, rate_hz);
  if (typeof even === 'string') return even;
  const [from, count] = spanOf(even, file);
  const samples = episode.episode.streams.find(({ id }) => id === stream)?.sample_count ?? 0;
  if (count !== samples) return `its file has ${count} frames where the recording has ${samples}`;
  const first = from + (episode.shown(stream)[0] ?? 0);
  const begin = even.video.packets.find(({ pts }) => Math.round(pts * even.video.tick_s * rate_hz) === first);
  const starts = even.video.packets.some(({ key, pts }) => key && pts <= (begin?.pts ?? -1));
  if (!starts) return 'there is no key frame at or before its first';
  const span = { from_s: first / rate_hz, until_s: (first + episode.rows - 0.5) / rate_hz };
  return { video: even.video, span, ...format };
}

/** The first frame of the episode, and how many it has. */
function spanOf({ video, shown_s }: EvenVideo, file: CameraPictures['file']): [from: number, count: number] {
  const { length } = video.packets;
  if (file === undefined || shown_s === null) return [0, length];
  const half_s = length > 1 ? (shown_s[length - 1] - shown_s[0]) / (length - 1) / 2 : 0;
  const from = shown_s.findIndex((time) => time >= file.from_s - half_s);
  const until = shown_s.findIndex((time) => time >= file.until_s);
  const last = until === -1 ? length : until;
  return from === -1 ? [0, 0] : [from, last - from];
}

async function formatOf({ stream }: CodedVideo) {
  const av = await import('node-av');
  const { codecId, width, height, format } = stream.codecpar;
  const codecs = new Map<number, string>([
    [av.AV_CODEC_ID_H264, 'h264'],
    [av.AV_CODEC_ID_HEVC, 'hevc'],
    [av.AV_CODEC_ID_AV1, 'av1'],
    [av.AV_CODEC_ID_VP9, 'vp9'],
  ]);
  const codec = codecs.get(codecId);
  if (codec === undefined) return 'its codec is none of H.264, H.265, AV1 and VP9';
  if (width % 2 !== 0 || height % 2 !== 0) return `its frames of ${width}x${height} px have an odd side`;
  if (stream.codecpar.getCodedSideData(av.AV_PKT_DATA_DISPLAYMATRIX) !== null)
    return 'its file says that frames are to be turned';
  return { codec, pixel_format: av.avGetPixFmtName(format as import('node-av').AVPixelFormat) ?? 'yuv420p' };
}

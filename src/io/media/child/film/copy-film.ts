import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P } from 'node-av/constants';
import type { FrameLocator } from '#core/episode';
import { advance } from '#io/processes';
import { copySpans, mimeOf, openCodedVideo } from '#io/video';
import type { Film, FilmCodec, FilmFacts, FilmRequest } from '../../film.ts';
import { openVideo } from '../video/open-video.ts';
import { containerFacts, rotationOf, type Span, spanOf, timeAt } from '../video/span.ts';
import type { VideoFile } from '../video/video-file.ts';

type VideoLocator = Extract<FrameLocator, { type: 'video' }>;

/** Codecs that browsers decode, and MP4 holds. Whether this browser does, it says itself. */
const playable: Readonly<Record<FilmCodec, ReadonlySet<string>>> = {
  recorded: new Set(['h264', 'av1', 'vp9']),
  h264: new Set(['h264']),
};
/** 4:2:0 with 8 bits: what every decoder of a browser takes. */
const pixelFormats: ReadonlySet<number> = new Set([AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P]);
/** How long the only frame of a span is shown. */
const lone_s = 1 / 30;

/** Copies the packets of a span, without decoding. Null where browsers do not play them, or the file is not sound. */
export async function copyFilm(
  path: string,
  locator: VideoLocator,
  request: FilmRequest,
): Promise<Omit<Film, 'cpu_s'> | null> {
  const file = openVideo(path);
  const mime = copiedMime(file, locator, request.codec);
  const span = spanIn(file, locator, request);
  if (mime === null || span.count === 0) return null;
  const last = span.first + span.count - 1;
  const [begin_s, end_s] = [timeAt(file, span.first), timeAt(file, last)];
  const step_s = span.count > 1 ? (end_s - begin_s) / (span.count - 1) : lone_s;
  advance();
  const video = await openCodedVideo(path);
  try {
    await copySpans(video, [{ from_s: begin_s, until_s: end_s + step_s / 2 }], [request.target]);
  } finally {
    await video.close();
  }
  const { width, height } = file.stream.codecpar;
  return {
    ...{ starts_s: begin_s - locator.from_s, frames: span.count, undecoded: null },
    ...{ made: 'copied', mime, size_px: [width, height] },
  };
}

/** What of a video file can be told by its packets. */
export function videoFacts(path: string, locator: VideoLocator): FilmFacts {
  const file = openVideo(path);
  const span = spanOf(file, locator.from_s, locator.to_s);
  const { codec, width_px, height_px, rate_hz, frame_count, first_pts_s, last_pts_s, rotation_deg } =
    containerFacts(file, span, locator.unstamped !== true);
  return {
    ...{ codec, rate_hz, frames: frame_count, mime: copiedMime(file, locator, 'recorded') },
    size_px: rotation_deg % 180 === 0 ? [width_px, height_px] : [height_px, width_px],
    starts_s: first_pts_s === null ? null : first_pts_s - locator.from_s,
    last_s: last_pts_s === null ? null : last_pts_s - locator.from_s,
  };
}

function spanIn(file: VideoFile, { from_s, to_s }: VideoLocator, wanted: FilmRequest): Span {
  const end_s = wanted.until_s === null ? null : from_s + wanted.until_s;
  const ends = [to_s, end_s].filter((one) => one !== null);
  return spanOf(file, from_s + wanted.from_s, ends.length === 0 ? null : Math.min(...ends));
}

/** Null for what is coded anew: files that are turned by their display matrix, damaged, or without stamps, too. */
function copiedMime(file: VideoFile, { unstamped }: VideoLocator, codec: FilmCodec): string | null {
  const { codecName, index, stream, videoStreams } = file;
  const isSound = index.stamped && index.error === null && index.damaged === 0;
  const isPlain = unstamped !== true && videoStreams === 1 && rotationOf(stream.codecpar) === 0;
  const isPlayable = playable[codec].has(codecName) && pixelFormats.has(stream.codecpar.format);
  return isSound && isPlain && isPlayable ? mimeOf(stream.codecpar) : null;
}

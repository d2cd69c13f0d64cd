import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P } from 'node-av/constants';
import type { FrameLocator } from '#core/episode';
import { reportProgress } from '#io/processes';
import { copySpans, mimeType, openCodedVideo } from '#io/video';
import type { Film, FilmCodec, FilmFacts, FilmRequest } from '../media-port.ts';
import { openVideo } from './video/open-files.ts';
import { containerFacts, findSpan, readRotation_deg, type Span, timeAt } from './video/span.ts';
import type { VideoFile } from './video/video-file.ts';

type VideoLocator = Extract<FrameLocator, { type: 'video' }>;

/** Codecs that MP4 can contain and browsers may play; each browser decides itself. */
const playableCodecs: Readonly<Record<FilmCodec, ReadonlySet<string>>> = {
  recorded: new Set(['h264', 'av1', 'vp9']),
  h264: new Set(['h264']),
};
/** Pixel formats that all browser decoders support: 8-bit 4:2:0. */
const playablePixelFormats: ReadonlySet<number> = new Set([AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P]);
/** Display time in seconds of the only frame of a span. */
const singleFrame_s = 1 / 30;

/**
 * Copies the packets of a span to `request.target` without decoding; `null` if browsers cannot play them, the span is
 * empty, or the file is damaged.
 */
export async function copyFilm(
  path: string,
  locator: VideoLocator,
  request: FilmRequest,
): Promise<Omit<Film, 'cpu_s'> | null> {
  const file = openVideo(path);
  const mime = copyableMime(file, locator, request.codec);
  const span = requestedSpan(file, locator, request);
  if (mime === null || span.count === 0) return null;
  const last = span.first + span.count - 1;
  const [begin_s, end_s] = [timeAt(file, span.first), timeAt(file, last)];
  const step_s = span.count > 1 ? (end_s - begin_s) / (span.count - 1) : singleFrame_s;
  reportProgress();
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

/**
 * Returns codec, rate, frame count, size and time span of a video from its packets, and the MIME type if browsers can
 * play them.
 */
export function videoFacts(path: string, locator: VideoLocator): FilmFacts {
  const file = openVideo(path);
  const span = findSpan(file, locator.from_s, locator.to_s);
  const { codec, width_px, height_px, rate_hz, frame_count, first_pts_s, last_pts_s, rotation_deg } =
    containerFacts(file, span, locator.unstamped !== true);
  return {
    ...{ codec, rate_hz, frames: frame_count, mime: copyableMime(file, locator, 'recorded') },
    size_px: rotation_deg % 180 === 0 ? [width_px, height_px] : [height_px, width_px],
    starts_s: first_pts_s === null ? null : first_pts_s - locator.from_s,
    last_s: last_pts_s === null ? null : last_pts_s - locator.from_s,
  };
}

function requestedSpan(file: VideoFile, { from_s, to_s }: VideoLocator, film: FilmRequest): Span {
  const end_s = film.until_s === null ? null : from_s + film.until_s;
  const ends = [to_s, end_s].filter((one) => one !== null);
  return findSpan(file, from_s + film.from_s, ends.length === 0 ? null : Math.min(...ends));
}

/**
 * Returns the media type for copying; null if the film must be re-encoded, as for rotated, damaged or unstamped files.
 */
function copyableMime(file: VideoFile, { unstamped }: VideoLocator, codec: FilmCodec): string | null {
  const { codecName, index, stream, videoStreams } = file;
  const isSound = index.stamped && index.error === null && index.damaged === 0;
  const isPlain = unstamped !== true && videoStreams === 1 && readRotation_deg(stream.codecpar) === 0;
  const isPlayable = playableCodecs[codec].has(codecName) && playablePixelFormats.has(stream.codecpar.format);
  return isSound && isPlain && isPlayable ? mimeType(stream.codecpar) : null;
}

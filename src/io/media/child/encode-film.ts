import { closeSync, openSync, readSync } from 'node:fs';
import type { FrameLocator, PictureEncoding, SampledPicture } from '#core/episode';
import { reportProgress } from '#io/processes';
import { evenSize, FrameScaler, openVideoWriter, rgbToYuv420, type VideoWriter } from '#io/video';
import type {
  Film,
  FilmRequest,
  FrameOutcome,
  PictureSpool,
  PlannedFrame,
  RgbPicture,
  SpooledPicture,
} from '../media-port.ts';
import type { BatchRequest } from '../protocol.ts';
import { FrameUnavailable } from './media-errors.ts';
import { resolveInside } from './media-files.ts';
import { embeddedFrames, fileFrames } from './picture-frames.ts';

/** Time base in ticks per second: milliseconds, because recorded stamps are uneven. */
const ticks_hz = 1000;
/** Frame rate for the encoder if none is declared. */
const defaultRate_hz = 30;
/** Frames between key frames, the most that seeking has to decode. */
const keyframe_every = 15;

/**
 * Decodes a span and writes it to `request.target` as H.264 with the recorded frame times; throws FrameUnavailable if
 * no frame decodes.
 */
export async function encodeFilm(request: FilmRequest): Promise<Omit<Film, 'cpu_s'>> {
  const film = new FilmEncoder(request);
  let undecoded = 0;
  let reason = 'it has no frame in this time range';
  try {
    for await (const outcome of filmFrames(request)) {
      reportProgress();
      const picture = 'pictures' in outcome ? outcome.pictures[0] : null;
      if (picture !== null) await film.add(picture, outcome.time_s);
      else {
        undecoded++;
        if ('reason' in outcome) reason = outcome.reason;
      }
    }
  } finally {
    await film.close();
  }
  const { writer, starts_s, size_px } = film;
  if (writer === null) throw new FrameUnavailable(reason);
  const mime = writer.mime ?? 'video/mp4';
  return { starts_s, frames: writer.frames, undecoded, made: 'encoded', mime, size_px };
}

class FilmEncoder {
  writer: VideoWriter | null = null;
  starts_s = 0;
  size_px: readonly [width: number, height: number] = [0, 0];
  readonly #request: FilmRequest;
  #scaler: FrameScaler | null = null;
  #tick = -1;

  constructor(request: FilmRequest) {
    this.#request = request;
  }

  async add(picture: RgbPicture, time_s: number): Promise<void> {
    this.writer ??= await this.#open(picture, time_s);
    const scaled = await this.#scaler!.scale(picture);
    // Ticks must increase even if stamps are equal or run backwards.
    this.#tick = Math.max(this.#tick + 1, Math.round((time_s - this.starts_s) * ticks_hz));
    await this.writer.write(rgbToYuv420(scaled), this.#tick);
  }

  async close(): Promise<void> {
    this.#scaler?.close();
    await this.writer?.close();
  }

  async #open(picture: RgbPicture, time_s: number): Promise<VideoWriter> {
    const { declared_rate_hz, target } = this.#request;
    const [width, height] = evenSize(picture).map((side) => Math.max(2, side));
    this.size_px = [width, height];
    this.starts_s = time_s;
    this.#scaler = new FrameScaler(this.size_px);
    const rate_hz = Math.min(240, Math.max(1, Math.round(declared_rate_hz ?? defaultRate_hz)));
    const settings = { width_px: width, height_px: height, rate_hz, ticks_hz, keyframe_every };
    return openVideoWriter(target, settings);
  }
}

type FrameStream = AsyncGenerator<FrameOutcome, void, undefined>;
type LocatorOf<Type extends FrameLocator['type']> = Extract<FrameLocator, { type: Type }>;

/** Yields all frames of the span in recording order, with times in seconds since the start of the episode. */
async function* filmFrames(request: FilmRequest): FrameStream {
  const { locator } = request.frames;
  switch (locator.type) {
    case 'missing':
      throw new FrameUnavailable(locator.reason);
    case 'video':
      return yield* videoFilmFrames(locator, request);
    case 'image-files':
      return yield* fileFilmFrames(locator, request);
    case 'embedded':
      return yield* spooledFilmFrames(locator, request);
  }
}

async function* videoFilmFrames(locator: LocatorOf<'video'>, request: FilmRequest): FrameStream {
  const path = resolveInside(request.root, locator.path, request.within);
  if (path === null) throw new FrameUnavailable(`file not found: ${locator.path}`);
  const { videoFrames } = await import('./video-frames.ts');
  if (locator.unstamped === true) {
    for (const frame of videoFrames(path, locator, toBatchRequest(request)))
      if (isInRange(frame.time_s, request)) yield frame;
    return;
  }
  const { from_s, until_s } = request;
  const ends = [locator.to_s, until_s === null ? null : locator.from_s + until_s];
  const to_s = ends.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
  const part = { ...locator, from_s: locator.from_s + from_s, to_s };
  for (const frame of videoFrames(path, part, toBatchRequest(request)))
    yield { ...frame, time_s: frame.time_s + from_s };
}

function fileFilmFrames({ paths }: LocatorOf<'image-files'>, request: FilmRequest): FrameStream {
  const { stamps_s, declared_rate_hz } = request;
  const plan = [...paths.keys()]
    .map((row) => planFrame(row, stamps_s?.[row] ?? row / (declared_rate_hz ?? 1)))
    .filter(({ time_s }) => isInRange(time_s, request));
  return fileFrames(paths, plan, toBatchRequest(request));
}

async function* spooledFilmFrames({ encoding }: LocatorOf<'embedded'>, request: FilmRequest): FrameStream {
  const { spool } = request;
  if (spool === undefined) throw new FrameUnavailable('the images could not be read from the recording');
  for (const groupPictures of pictureGroups(spool, encoding)) {
    const plan = groupPictures
      .map(({ index, time_s }) => planFrame(index, time_s))
      .filter(({ time_s }) => isInRange(time_s, request));
    if (plan.length > 0) yield* embeddedFrames(encoding, groupPictures, plan, toBatchRequest(request));
  }
}

const planFrame = (row: number, time_s: number): PlannedFrame => ({ row, time_s, needs: [0] });

const isInRange = (time_s: number, { from_s, until_s }: FilmRequest): boolean =>
  time_s >= from_s && (until_s === null || time_s < until_s);

/** Creates a decode request for every frame in the requested size. */
function toBatchRequest({
  root,
  frames,
  declared_rate_hz,
  stamps_s,
  longest_side_px,
}: FilmRequest): BatchRequest {
  const needs = [{ rate_hz: 1e9, longest_side_px }];
  return { root, frames, declared_rate_hz, stamps_s, needs: needs, stream: 0, from: 0 };
}

const videoEncodings: ReadonlySet<PictureEncoding> = new Set(['h264', 'h265', 'av1', 'vp9']);

/** Reads a spool in groups: single pictures, or for video from one key frame up to the next. */
function* pictureGroups(
  { path, pictures }: PictureSpool,
  encoding: PictureEncoding,
): Generator<SampledPicture[]> {
  const isVideo = videoEncodings.has(encoding);
  const file = openSync(path, 'r');
  try {
    let group: SampledPicture[] = [];
    for (const picture of pictures) {
      if (group.length > 0 && (!isVideo || picture.key)) {
        yield group;
        group = [];
      }
      group.push(readSpooled(file, picture));
    }
    if (group.length > 0) yield group;
  } finally {
    closeSync(file);
  }
}

function readSpooled(file: number, { index, time_s, offset, bytes, layout }: SpooledPicture): SampledPicture {
  const data = Buffer.alloc(bytes);
  readSync(file, data, 0, bytes, offset);
  const picture = { index, time_s, bytes: data };
  return layout === undefined ? picture : { ...picture, layout };
}

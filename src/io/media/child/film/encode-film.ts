import { closeSync, openSync, readSync } from 'node:fs';
import type { FrameLocator, KeptPicture, PictureEncoding } from '#core/episode';
import { advance } from '#io/processes';
import { evenSize, FrameScaler, openVideoWriter, rgbToYuv420, type VideoWriter } from '#io/video';
import type { Film, FilmRequest, PictureSpool, SpooledPicture } from '../../film.ts';
import type { FrameOutcome, PlannedFrame, RgbPicture } from '../../media-port.ts';
import type { BatchRequest } from '../../protocol.ts';
import { keptFrames } from '../decode/kept-frames.ts';
import { pictureFiles } from '../decode/picture-files.ts';
import { inside } from '../inside.ts';
import { Unshown } from '../shown-frame.ts';

/** Milliseconds: stamps of recordings are not even. */
const ticks_hz = 1000;
/** What the encoder is told where nobody says a rate. */
const usualRate_hz = 30;
/** Frames from one key frame to the next: seeking decodes no more than these. */
const keyframe_every = 15;

/** Decodes a span and writes it as H.264, each frame shown when it was taken. Throws Unshown where nothing decodes. */
export async function encodeFilm(request: FilmRequest): Promise<Omit<Film, 'cpu_s'>> {
  const film = new Encoding(request);
  let undecoded = 0;
  let reason = 'no frame of it lies there';
  try {
    for await (const outcome of filmFrames(request)) {
      advance();
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
  if (writer === null) throw new Unshown(reason);
  const mime = writer.mime ?? 'video/mp4';
  return { starts_s, frames: writer.frames, undecoded, made: 'encoded', mime, size_px };
}

class Encoding {
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
    // Frames of one stamp, or of stamps that run backwards, follow each other all the same.
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
    const rate_hz = Math.min(240, Math.max(1, Math.round(declared_rate_hz ?? usualRate_hz)));
    const settings = { width_px: width, height_px: height, rate_hz, ticks_hz, keyframe_every };
    return openVideoWriter(target, settings);
  }
}

type Frames = AsyncGenerator<FrameOutcome, void, undefined>;
type LocatorOf<Type extends FrameLocator['type']> = Extract<FrameLocator, { type: Type }>;

/** Every frame of the span, in the order of recording, with its time since the start of the episode. */
async function* filmFrames(request: FilmRequest): Frames {
  const { locator } = request.frames;
  switch (locator.type) {
    case 'missing':
      throw new Unshown(locator.reason);
    case 'video':
      return yield* ofVideo(locator, request);
    case 'image-files':
      return yield* ofFiles(locator, request);
    case 'embedded':
      return yield* ofSpool(locator, request);
  }
}

async function* ofVideo(locator: LocatorOf<'video'>, request: FilmRequest): Frames {
  const path = inside(request.root, locator.path, request.within);
  if (path === null) throw new Unshown(`there is no file ${locator.path}`);
  const { videoFrames } = await import('../decode/video-frames.ts');
  if (locator.unstamped === true) {
    for (const frame of videoFrames(path, locator, asBatch(request)))
      if (lies(frame.time_s, request)) yield frame;
    return;
  }
  const { from_s, until_s } = request;
  const ends = [locator.to_s, until_s === null ? null : locator.from_s + until_s];
  const to_s = ends.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
  const part = { ...locator, from_s: locator.from_s + from_s, to_s };
  for (const frame of videoFrames(path, part, asBatch(request)))
    yield { ...frame, time_s: frame.time_s + from_s };
}

function ofFiles({ paths }: LocatorOf<'image-files'>, request: FilmRequest): Frames {
  const { stamps_s, declared_rate_hz } = request;
  const plan = [...paths.keys()]
    .map((row) => planned(row, stamps_s?.[row] ?? row / (declared_rate_hz ?? 1)))
    .filter(({ time_s }) => lies(time_s, request));
  return pictureFiles(paths, plan, asBatch(request));
}

async function* ofSpool({ encoding }: LocatorOf<'embedded'>, request: FilmRequest): Frames {
  const { spool } = request;
  if (spool === undefined) throw new Unshown('the pictures were not read out of the recording');
  for (const kept of pictureGroups(spool, encoding)) {
    const plan = kept
      .map(({ index, time_s }) => planned(index, time_s))
      .filter(({ time_s }) => lies(time_s, request));
    if (plan.length > 0) yield* keptFrames(encoding, kept, plan, asBatch(request));
  }
}

const planned = (row: number, time_s: number): PlannedFrame => ({ row, time_s, wishes: [0] });

const lies = (time_s: number, { from_s, until_s }: FilmRequest): boolean =>
  time_s >= from_s && (until_s === null || time_s < until_s);

/** Every frame, each once, reduced to the size that is asked for. */
function asBatch({ root, frames, declared_rate_hz, stamps_s, longest_side_px }: FilmRequest): BatchRequest {
  const wishes = [{ rate_hz: 1e9, longest_side_px }];
  return { root, frames, declared_rate_hz, stamps_s, wishes, stream: 0, from: 0 };
}

const videoEncodings: ReadonlySet<PictureEncoding> = new Set(['h264', 'h265', 'av1', 'vp9']);

/** Reads a spool some pictures at a time: one, or of video from one key frame up to the next. */
function* pictureGroups(
  { path, pictures }: PictureSpool,
  encoding: PictureEncoding,
): Generator<KeptPicture[]> {
  const isVideo = videoEncodings.has(encoding);
  const file = openSync(path, 'r');
  try {
    let group: KeptPicture[] = [];
    for (const picture of pictures) {
      if (group.length > 0 && (!isVideo || picture.key)) {
        yield group;
        group = [];
      }
      group.push(read(file, picture));
    }
    if (group.length > 0) yield group;
  } finally {
    closeSync(file);
  }
}

function read(file: number, { index, time_s, offset, bytes, layout }: SpooledPicture): KeptPicture {
  const data = Buffer.alloc(bytes);
  readSync(file, data, 0, bytes, offset);
  const picture = { index, time_s, bytes: data };
  return layout === undefined ? picture : { ...picture, layout };
}

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AssayError } from '#core';
import {
  type Episode,
  type FrameLocator,
  type Frames,
  type PictureEncoding,
  pictureFormat,
  type Stream,
  timesOf,
} from '#core/episode';
import { picturesOf, type StreamedPicture } from '#formats';
import type { FrameOutcome, MediaService } from '#io/media';
import type { CameraPictures, RecordedPicture, RgbFrame } from '#io/video';
import type { Found } from '../look/datasets.ts';

export interface Decoding {
  readonly media: MediaService;
  readonly signal: AbortSignal;
}

/** Every frame, in its own size. */
const everyFrame = [{ rate_hz: 1e9, longest_side_px: 1e6 }];
/** Pictures handed to the decoder at once; of video whole runs from one key frame to the next. */
const group = { pictures: 8, bytes: 64 * 2 ** 20 };

/** Gives each camera's pictures of an episode, as they are recorded and decoded. */
export function cameraPictures(
  found: Found,
  episode: Episode,
  decoding: Decoding,
): (stream: Stream) => CameraPictures {
  return (stream) => {
    const { frames } = stream;
    if (frames === undefined) throw new AssayError('internal', `${stream.id} has no pictures`);
    const { locator } = frames;
    if (locator.type === 'image-files')
      return {
        coding: encodingOfName(locator.paths[0] ?? ''),
        recorded: () => pictureFiles(found.root, locator.paths),
        decoded: (places) => wholeCamera(found.root, timed(stream), frames, places, decoding),
      };
    if (locator.type === 'embedded') {
      const streamed = () => embedded(found, episode, stream, frames);
      return {
        coding: locator.encoding,
        recorded: async function* () {
          for await (const { key: _, ...picture } of streamed())
            yield { ...picture, encoding: locator.encoding };
        },
        decoded: (places) => decodedGroups(streamed(), stream, frames, places, decoding),
      };
    }
    return {
      coding: 'video-file',
      ...(locator.type === 'video' ? { file: fileOf(found.root, stream, locator) } : {}),
      async *recorded() {},
      decoded: (places) => wholeCamera(found.root, timed(stream), frames, places, decoding),
    };
  };
}

/** Half a frame after the last of the rows, where nothing says where the span ends. */
function fileOf(root: string, { sample_count }: Stream, locator: Extract<FrameLocator, { type: 'video' }>) {
  const { path, from_s, to_s, asked } = locator;
  const rows_s =
    asked === undefined ? Number.POSITIVE_INFINITY : from_s + (sample_count - 0.5) / asked.rate_hz;
  return { path: resolve(root, path), from_s, until_s: Math.min(to_s ?? Number.MAX_SAFE_INTEGER, rows_s) };
}

function embedded({ dataset }: Found, episode: Episode, stream: Stream, { locator }: Frames) {
  if (locator.type !== 'embedded') throw new AssayError('internal', `${stream.id} lies in no recording`);
  const log_s = stream.clocks.find(({ provenance }) => provenance === 'log')?.time_s ?? null;
  const { index: episode_index, start_ns } = episode;
  return picturesOf(dataset, { locator, episode_index, start_ns, log_s, rows: stream.sample_count });
}

const encodingOfName = (path: string): PictureEncoding =>
  /\.png$/i.test(path) ? 'png' : /\.webp$/i.test(path) ? 'webp' : /\.jpe?g$/i.test(path) ? 'jpeg' : 'unknown';

const encodings: Readonly<Record<string, PictureEncoding>> = { JPEG: 'jpeg', PNG: 'png', WebP: 'webp' };

async function* pictureFiles(root: string, paths: readonly string[]): AsyncGenerator<RecordedPicture> {
  for (const [index, path] of paths.entries()) {
    const bytes = await readFile(resolve(root, path));
    const encoding = encodings[pictureFormat(bytes) ?? ''] ?? 'unknown';
    yield { index, time_s: 0, bytes, encoding };
  }
}

/** A camera, and when its pictures were taken, where that is told. */
interface TimedCamera {
  readonly id: string;
  readonly declared_rate_hz: number | null;
  readonly stamps_s: Float64Array | null;
}

const timed = (stream: Stream): TimedCamera => ({
  id: stream.id,
  declared_rate_hz: stream.declared_rate_hz,
  stamps_s: timesOf(stream),
});

/** Pictures of a camera whose files the decoder opens itself. */
export async function* wholeCamera(
  root: string,
  stream: TimedCamera,
  frames: Frames,
  places: ReadonlySet<number>,
  { media, signal }: Decoding,
): AsyncGenerator<readonly [number, RgbFrame]> {
  const { declared_rate_hz, stamps_s } = stream;
  const request = { root, frames, declared_rate_hz, stamps_s, wishes: everyFrame };
  let left = places.size;
  if (left === 0) return;
  for await (const batch of media.decode(request, signal))
    for (const frame of batch) {
      if (!places.has(frame.row)) continue;
      yield [frame.row, demanded(frame, stream)];
      if (--left === 0) return;
    }
  throw absent(stream, left);
}

/** Pictures that lie inside a recording, decoded some at a time. */
async function* decodedGroups(
  pictures: AsyncIterable<StreamedPicture>,
  stream: Stream,
  frames: Frames,
  places: ReadonlySet<number>,
  { media, signal }: Decoding,
): AsyncGenerator<readonly [number, RgbFrame]> {
  let left = places.size;
  const isVideo = stream.modality === 'video';
  for await (const kept of groups(pictures, isVideo, places)) {
    const plan = kept
      .filter(({ index }) => places.has(index))
      .map(({ index: row, time_s }) => ({ row, time_s, wishes: [0] }));
    if (plan.length === 0) continue;
    const own = { ...frames, kept };
    const request = {
      root: '/',
      frames: own,
      wishes: everyFrame,
      plan,
      declared_rate_hz: null,
      stamps_s: null,
    };
    for await (const batch of media.decode(request, signal))
      for (const frame of batch) {
        yield [frame.row, demanded(frame, stream)];
        left--;
      }
    if (left === 0) return;
  }
  if (left > 0) throw absent(stream, left);
}

async function* groups(
  pictures: AsyncIterable<StreamedPicture>,
  isVideo: boolean,
  places: ReadonlySet<number>,
): AsyncGenerator<StreamedPicture[]> {
  let held: StreamedPicture[] = [];
  let bytes = 0;
  for await (const picture of pictures) {
    if (!isVideo && !places.has(picture.index)) continue;
    const isFull = held.length >= group.pictures || bytes >= group.bytes;
    if (held.length > 0 && (isVideo ? picture.key : isFull)) {
      yield held;
      held = [];
      bytes = 0;
    }
    held.push(picture);
    bytes += picture.bytes.length;
  }
  if (held.length > 0) yield held;
}

function demanded(frame: FrameOutcome, { id }: Pick<Stream, 'id'>): RgbFrame {
  const reason = 'reason' in frame ? frame.reason : 'the decoder gave nothing';
  const picture = 'pictures' in frame ? frame.pictures[0] : null;
  if (picture !== null) return picture;
  throw new AssayError('unreadable_input', `picture ${frame.row} of ${id} cannot be decoded: ${reason}`, {
    advice: 'leave the episode out with --without',
  });
}

function absent({ id }: Pick<Stream, 'id'>, left: number): AssayError {
  return new AssayError('unreadable_input', `${left} pictures of ${id} are not where they were`, {
    advice: 'leave the episode out with --without, or restore the recording from its source',
  });
}

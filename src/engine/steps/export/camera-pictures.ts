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
import { readPictureStream, type StreamedPicture } from '#formats';
import type { FrameOutcome, MediaService } from '#io/media';
import type { CameraPictures, RecordedPicture, RgbFrame } from '#io/video';
import type { OpenedDataset } from '../find-datasets.ts';

/** Decoder and abort signal. */
export interface Decoding {
  readonly media: MediaService;
  readonly signal: AbortSignal;
}

/** Requests every frame in its original size. */
const everyFrame = [{ rate_hz: 1e9, longest_side_px: 1e6 }];
/** Maximum group of pictures per decoding call; for video, groups end at key frames. */
const maxGroup = { pictures: 8, bytes: 64 * 2 ** 20 };

/** Returns a function that gives access to a camera's pictures of an episode, as recorded and decoded. */
export function cameraPictures(
  found: OpenedDataset,
  episode: Episode,
  decoding: Decoding,
): (stream: Stream) => CameraPictures {
  return (stream) => {
    const { frames } = stream;
    if (frames === undefined) throw new AssayError('internal', `${stream.id} has no images`);
    const { locator } = frames;
    if (locator.type === 'image-files')
      return {
        coding: encodingFromName(locator.paths[0] ?? ''),
        recorded: () => readPictureFiles(found.root, locator.paths),
        decoded: (places) => decodeWholeCamera(found.root, toTimedCamera(stream), frames, places, decoding),
      };
    if (locator.type === 'embedded') {
      const streamed = () => streamEmbedded(found, episode, stream, frames);
      return {
        coding: locator.encoding,
        recorded: async function* () {
          for await (const { key: _, ...picture } of streamed())
            yield { ...picture, encoding: locator.encoding };
        },
        decoded: (places) => decodeInGroups(streamed(), stream, frames, places, decoding),
      };
    }
    return {
      coding: 'video-file',
      ...(locator.type === 'video' ? { file: videoSpan(found.root, stream, locator) } : {}),
      async *recorded() {},
      decoded: (places) => decodeWholeCamera(found.root, toTimedCamera(stream), frames, places, decoding),
    };
  };
}

/**
 * Returns the file and the span in seconds of a camera's video; the span ends half a frame after the last row if the file does
 * not say where it ends.
 */
function videoSpan(
  root: string,
  { sample_count }: Stream,
  locator: Extract<FrameLocator, { type: 'video' }>,
) {
  const { path, from_s, to_s, asked } = locator;
  const rows_s =
    asked === undefined ? Number.POSITIVE_INFINITY : from_s + (sample_count - 0.5) / asked.rate_hz;
  return { path: resolve(root, path), from_s, until_s: Math.min(to_s ?? Number.MAX_SAFE_INTEGER, rows_s) };
}

function streamEmbedded({ dataset }: OpenedDataset, episode: Episode, stream: Stream, { locator }: Frames) {
  if (locator.type !== 'embedded') throw new AssayError('internal', `${stream.id} is in no recording`);
  const log_s = stream.clocks.find(({ provenance }) => provenance === 'log')?.time_s ?? null;
  const { index: episode_index, start_ns } = episode;
  return readPictureStream(dataset, { locator, episode_index, start_ns, log_s, rows: stream.sample_count });
}

const encodingFromName = (path: string): PictureEncoding =>
  /\.png$/i.test(path) ? 'png' : /\.webp$/i.test(path) ? 'webp' : /\.jpe?g$/i.test(path) ? 'jpeg' : 'unknown';

const encodings: Readonly<Record<string, PictureEncoding>> = { JPEG: 'jpeg', PNG: 'png', WebP: 'webp' };

async function* readPictureFiles(root: string, paths: readonly string[]): AsyncGenerator<RecordedPicture> {
  for (const [index, path] of paths.entries()) {
    const bytes = await readFile(resolve(root, path));
    const encoding = encodings[pictureFormat(bytes) ?? ''] ?? 'unknown';
    yield { index, time_s: 0, bytes, encoding };
  }
}

/** A camera and the times of its pictures, if known. */
interface TimedCamera {
  readonly id: string;
  readonly declared_rate_hz: number | null;
  readonly stamps_s: Float64Array | null;
}

const toTimedCamera = (stream: Stream): TimedCamera => ({
  id: stream.id,
  declared_rate_hz: stream.declared_rate_hz,
  stamps_s: timesOf(stream),
});

/**
 * Yields the decoded pictures at `places` from files that the decoder opens itself. Throws `unreadable_input` if some
 * are missing.
 */
export async function* decodeWholeCamera(
  root: string,
  stream: TimedCamera,
  frames: Frames,
  places: ReadonlySet<number>,
  { media, signal }: Decoding,
): AsyncGenerator<readonly [number, RgbFrame]> {
  const { declared_rate_hz, stamps_s } = stream;
  const request = { root, frames, declared_rate_hz, stamps_s, needs: everyFrame };
  let remaining = places.size;
  if (remaining === 0) return;
  for await (const batch of media.decode(request, signal))
    for (const frame of batch) {
      if (!places.has(frame.row)) continue;
      yield [frame.row, requirePicture(frame, stream)];
      if (--remaining === 0) return;
    }
  throw missingPicturesError(stream, remaining);
}

/**
 * Yields the decoded pictures at `places` that are embedded in a recording, decoded in groups. Throws
 * `unreadable_input` if some are missing.
 */
async function* decodeInGroups(
  pictures: AsyncIterable<StreamedPicture>,
  stream: Stream,
  frames: Frames,
  places: ReadonlySet<number>,
  { media, signal }: Decoding,
): AsyncGenerator<readonly [number, RgbFrame]> {
  let remaining = places.size;
  const isVideo = stream.modality === 'video';
  for await (const kept of groupPictures(pictures, isVideo, places)) {
    const plan = kept
      .filter(({ index }) => places.has(index))
      .map(({ index: row, time_s }) => ({ row, time_s, needs: [0] }));
    if (plan.length === 0) continue;
    const own = { ...frames, kept };
    const request = {
      root: '/',
      frames: own,
      needs: everyFrame,
      plan,
      declared_rate_hz: null,
      stamps_s: null,
    };
    for await (const batch of media.decode(request, signal))
      for (const frame of batch) {
        yield [frame.row, requirePicture(frame, stream)];
        remaining--;
      }
    if (remaining === 0) return;
  }
  if (remaining > 0) throw missingPicturesError(stream, remaining);
}

async function* groupPictures(
  pictures: AsyncIterable<StreamedPicture>,
  isVideo: boolean,
  places: ReadonlySet<number>,
): AsyncGenerator<StreamedPicture[]> {
  let pending: StreamedPicture[] = [];
  let bytes = 0;
  for await (const picture of pictures) {
    if (!isVideo && !places.has(picture.index)) continue;
    const isFull = pending.length >= maxGroup.pictures || bytes >= maxGroup.bytes;
    if (pending.length > 0 && (isVideo ? picture.key : isFull)) {
      yield pending;
      pending = [];
      bytes = 0;
    }
    pending.push(picture);
    bytes += picture.bytes.length;
  }
  if (pending.length > 0) yield pending;
}

function requirePicture(frame: FrameOutcome, { id }: Pick<Stream, 'id'>): RgbFrame {
  const reason = 'reason' in frame ? frame.reason : 'the decoder returned no image';
  const picture = 'pictures' in frame ? frame.pictures[0] : null;
  if (picture !== null) return picture;
  throw new AssayError('unreadable_input', `frame ${frame.row} of ${id} cannot be decoded: ${reason}`, {
    advice: 'exclude the episode with --without',
  });
}

function missingPicturesError({ id }: Pick<Stream, 'id'>, remaining: number): AssayError {
  return new AssayError('unreadable_input', `${remaining} frames of ${id} are missing`, {
    advice: 'exclude the episode with --without, or restore the recording',
  });
}

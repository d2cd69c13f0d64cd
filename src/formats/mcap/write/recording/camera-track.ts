import type { JsonObject } from '#core';
import type { Stream } from '#core/episode';
import type { CameraPictures } from '#io/video';
import { encodePicture } from '../../../shared/write/pictures/encode-picture.ts';
import type { ExportEpisode } from '../../../shared/write/set/export-episode.ts';
import {
  compressedImage,
  compressedVideo,
  encodeImage,
  encodeRaw,
  encodeVideo,
  rawImage,
} from './schemas.ts';
import type { StreamTimes } from './stream-times.ts';
import type { Track, TrackMessage } from './track.ts';
import { openVideoUnits, type VideoUnits } from './video-units.ts';

/** A camera's messages, and why its pictures were encoded again; null: they are the recording's own. */
export interface CameraTrack {
  readonly track: Omit<Track, 'topic' | 'about'>;
  readonly edit: JsonObject | null;
}

export async function cameraTrack(
  episode: ExportEpisode,
  stream: Stream,
  times: StreamTimes,
): Promise<CameraTrack> {
  const pictures = episode.pictures(stream.id);
  const { coding, file } = pictures;
  const own = (track: CameraTrack['track']): CameraTrack => ({ track, edit: null });
  switch (coding) {
    case 'jpeg':
    case 'png':
    case 'webp':
      return own({ schema: compressedImage, messages: images(pictures, stream, times) });
    case 'raw':
      return own({ schema: rawImage, messages: rawImages(pictures, stream, times) });
    case 'h264':
    case 'h265':
    case 'av1':
    case 'vp9':
      return own({ schema: compressedVideo, messages: access(pictures, stream, times) });
  }
  const units =
    file === undefined
      ? 'its pictures are of another format'
      : await openVideoUnits(file.path, file.from_s, file.until_s);
  if (typeof units !== 'string')
    return own({ schema: compressedVideo, messages: videoFile(units, stream, times) });
  const edit = { edit: 'encode', feature: stream.id, from: [stream.id], codec: 'jpeg', reason: units };
  return { track: { schema: compressedImage, messages: encoded(episode, pictures, stream, times) }, edit };
}

const stamped = (times: StreamTimes, sample: number, data: Uint8Array): TrackMessage => ({
  log_ns: times.logged_ns(sample),
  sent_ns: times.sent_ns(sample),
  data,
});

async function* images(pictures: CameraPictures, { id }: Stream, times: StreamTimes) {
  for await (const { index, bytes, encoding } of pictures.recorded())
    yield stamped(times, index, encodeImage(times.taken_ns(index), id, bytes, encoding));
}

async function* rawImages(pictures: CameraPictures, { id }: Stream, times: StreamTimes) {
  for await (const { index, bytes, layout } of pictures.recorded())
    if (layout !== undefined)
      yield stamped(times, index, encodeRaw(times.taken_ns(index), id, { ...layout, data: bytes }));
}

async function* access(pictures: CameraPictures, { id }: Stream, times: StreamTimes) {
  for await (const { index, bytes, encoding } of pictures.recorded())
    yield stamped(times, index, encodeVideo(times.taken_ns(index), id, bytes, encoding));
}

async function* videoFile(units: VideoUnits, { id, sample_count }: Stream, times: StreamTimes) {
  let frame = 0;
  // Where the file holds other frames than there are rows, only its own stamps tell when they were taken.
  const zero = times.taken_ns(0);
  const at_ns = (of: number) => zero + BigInt(Math.round((units.time_s(of) - units.time_s(0)) * 1e9));
  const bySample = units.count <= sample_count;
  try {
    for await (const data of units.units()) {
      const taken_ns = bySample ? times.taken_ns(frame) : at_ns(frame);
      const message = encodeVideo(taken_ns, id, data, units.format);
      yield bySample
        ? stamped(times, frame, message)
        : { log_ns: taken_ns, sent_ns: taken_ns, data: message };
      frame++;
    }
  } finally {
    await units.close();
  }
}

async function* encoded(
  _: ExportEpisode,
  pictures: CameraPictures,
  { id, sample_count }: Stream,
  times: StreamTimes,
) {
  const all = new Set(Array.from({ length: sample_count }, (_, place) => place));
  for await (const [place, frame] of pictures.decoded(all)) {
    const { bytes } = await encodePicture(frame, 'jpg');
    yield stamped(times, place, encodeImage(times.taken_ns(place), id, bytes, 'jpeg'));
  }
}

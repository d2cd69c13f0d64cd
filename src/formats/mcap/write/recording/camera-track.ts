import type { BitStreamFilterAPI, Packet } from 'node-av';
import type { JsonObject } from '#core';
import type { Stream } from '#core/episode';
import { type CameraPictures, type CodedVideo, openCodedVideo } from '#io/video';
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

/** Coded video that can be taken apart into messages, a frame each. */
interface VideoUnits {
  readonly format: 'h264' | 'h265' | 'av1' | 'vp9';
  readonly count: number;
  /** Since the beginning of the span, in seconds. */
  time_s(frame: number): number;
  units(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** Stamps of a container and of the metadata beside it are rounded differently; within half a frame they are one. */
const early = 0.5;

/**
 * Opens the frames of a span as foxglove.CompressedVideo wants them: each decodable after those before it, in the order
 * in which they are shown, the first one a key frame. A reason where they are not so, or are of another codec.
 */
export async function openVideoUnits(
  path: string,
  from_s: number,
  until_s: number,
): Promise<VideoUnits | string> {
  const video = await openCodedVideo(path);
  const found = await unitsOf(video, from_s, until_s);
  if (typeof found === 'string') await video.close();
  return found;
}

async function unitsOf(video: CodedVideo, from_s: number, until_s: number): Promise<VideoUnits | string> {
  const av = await import('node-av');
  const { packets, tick_s } = video;
  const codecs = new Map<number, VideoUnits['format']>([
    [av.AV_CODEC_ID_H264, 'h264'],
    [av.AV_CODEC_ID_HEVC, 'h265'],
    [av.AV_CODEC_ID_AV1, 'av1'],
    [av.AV_CODEC_ID_VP9, 'vp9'],
  ]);
  const format = codecs.get(video.stream.codecpar.codecId);
  if (format === undefined) return 'no message holds its codec';
  const half = Math.floor((packets.find(({ duration }) => duration > 0)?.duration ?? 2) * early);
  const [from, until] = [Math.round(from_s / tick_s) - half, Math.round(until_s / tick_s)];
  const places = [...packets.keys()].filter(
    (place) => packets[place].pts >= from && packets[place].pts < until,
  );
  if (places.length === 0) return 'it has no frame in the episode';
  if (!packets[places[0]].key) return 'the episode does not begin at a key frame';
  const rises = places.every((place, i) => i === 0 || packets[place].pts > packets[places[i - 1]].pts);
  if (!rises) return 'its frames lean on later ones';
  return {
    format,
    count: places.length,
    time_s: (frame) => packets[places[frame]].pts * tick_s - from_s,
    units: () => read(video, format, new Set(places)),
    close: () => video.close(),
  };
}

async function* read(
  video: CodedVideo,
  format: VideoUnits['format'],
  places: ReadonlySet<number>,
): AsyncGenerator<Uint8Array> {
  const filter = await annexB(video, format);
  try {
    for await (const [, packet] of video.read(places)) {
      const data = filter === null ? packet.data : filtered(filter, packet);
      if (data === null) continue;
      const unit = Uint8Array.from(data);
      yield format === 'av1' && packet.isKeyframe ? withSequence(unit, video) : unit;
    }
  } finally {
    filter?.close();
  }
}

/** MP4 keeps lengths before the units of H.264 and HEVC, and their parameter sets apart; messages hold start codes and all. */
async function annexB(
  { stream }: CodedVideo,
  format: VideoUnits['format'],
): Promise<BitStreamFilterAPI | null> {
  if (format !== 'h264' && format !== 'h265') return null;
  const { BitStreamFilterAPI } = await import('node-av');
  return BitStreamFilterAPI.create(format === 'h264' ? 'h264_mp4toannexb' : 'hevc_mp4toannexb', stream);
}

function filtered(filter: BitStreamFilterAPI, packet: Packet): Uint8Array | null {
  const out = filter.filterAllSync(packet);
  const parts = out.flatMap(({ data }) => (data === null ? [] : [Buffer.from(data)]));
  for (const one of out) one.free();
  return parts.length === 0 ? null : Buffer.concat(parts);
}

/** OBU types (AV1 specification, 6.2.2). */
const sequenceHeader = 1;
const temporalDelimiter = 2;
/** Bytes of av1C before its OBUs. */
const configBytes = 4;

/** A key frame with the sequence header that MP4 may keep apart. */
function withSequence(unit: Uint8Array, { stream }: CodedVideo): Uint8Array {
  const type = (unit[0] >> 3) & 0x0f;
  const next = type === temporalDelimiter ? (unit[2] >> 3) & 0x0f : type;
  const config = stream.codecpar.extradata?.subarray(configBytes) ?? null;
  return next === sequenceHeader || config === null ? unit : Buffer.concat([config, unit]);
}

import type { BitStreamFilterAPI, Packet } from 'node-av';
import type { JsonObject } from '#core';
import type { Stream } from '#core/episode';
import { type CameraPictures, type CodedVideo, openCodedVideo } from '#io/video';
import { encodePicture } from '../../shared/write/episode-pictures.ts';
import type { ExportEpisode } from '../../shared/write/set/export-episode.ts';
import {
  compressedImage,
  compressedVideo,
  encodeImage,
  encodeRaw,
  encodeVideo,
  rawImage,
} from './schemas.ts';
import type { StreamTimes, Track, TrackMessage } from './tracks.ts';

/** Messages of a camera, and the edit that describes their re-encoding; `null` if the recorded bytes are copied. */
export interface CameraTrack {
  readonly track: Omit<Track, 'topic' | 'metadata'>;
  readonly edit: JsonObject | null;
}

/**
 * Creates the track of a camera, whose messages are read lazily: copies of its pictures or video frames (`edit` null),
 * or JPEGs encoded from what cannot be copied, which `edit` records. Frames of a video file are copied if each can be a
 * message.
 */
export async function createCameraTrack(
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
      return own({ schema: compressedImage, messages: imageMessages(pictures, stream, times) });
    case 'raw':
      return own({ schema: rawImage, messages: rawImageMessages(pictures, stream, times) });
    case 'h264':
    case 'h265':
    case 'av1':
    case 'vp9':
      return own({ schema: compressedVideo, messages: accessUnitMessages(pictures, stream, times) });
  }
  const units =
    file === undefined
      ? 'its images have another format'
      : await openVideoUnits(file.path, file.from_s, file.until_s);
  if (typeof units !== 'string')
    return own({ schema: compressedVideo, messages: videoFileMessages(units, stream, times) });
  const edit = { edit: 'encode', feature: stream.id, from: [stream.id], codec: 'jpeg', reason: units };
  return {
    track: { schema: compressedImage, messages: reencodedMessages(episode, pictures, stream, times) },
    edit,
  };
}

const createMessage = (times: StreamTimes, sample: number, data: Uint8Array): TrackMessage => ({
  log_ns: times.logged_ns(sample),
  publish_ns: times.sent_ns(sample),
  data,
});

async function* imageMessages(pictures: CameraPictures, { id }: Stream, times: StreamTimes) {
  for await (const { index, bytes, encoding } of pictures.recorded())
    yield createMessage(times, index, encodeImage(times.taken_ns(index), id, bytes, encoding));
}

async function* rawImageMessages(pictures: CameraPictures, { id }: Stream, times: StreamTimes) {
  for await (const { index, bytes, layout } of pictures.recorded())
    if (layout !== undefined)
      yield createMessage(times, index, encodeRaw(times.taken_ns(index), id, { ...layout, data: bytes }));
}

async function* accessUnitMessages(pictures: CameraPictures, { id }: Stream, times: StreamTimes) {
  for await (const { index, bytes, encoding } of pictures.recorded())
    yield createMessage(times, index, encodeVideo(times.taken_ns(index), id, bytes, encoding));
}

/** Yields one CompressedVideo message per frame of a video file. */
async function* videoFileMessages(units: VideoUnits, { id, sample_count }: Stream, times: StreamTimes) {
  let frame = 0;
  // If the file has more frames than the stream has samples, only its own stamps give their times.
  const zero = times.taken_ns(0);
  const at_ns = (of: number) => zero + BigInt(Math.round((units.time_s(of) - units.time_s(0)) * 1e9));
  const bySample = units.count <= sample_count;
  try {
    for await (const data of units.units()) {
      const taken_ns = bySample ? times.taken_ns(frame) : at_ns(frame);
      const message = encodeVideo(taken_ns, id, data, units.format);
      yield bySample
        ? createMessage(times, frame, message)
        : { log_ns: taken_ns, publish_ns: taken_ns, data: message };
      frame++;
    }
  } finally {
    await units.close();
  }
}

async function* reencodedMessages(
  _: ExportEpisode,
  pictures: CameraPictures,
  { id, sample_count }: Stream,
  times: StreamTimes,
) {
  const all = new Set(Array.from({ length: sample_count }, (_, index) => index));
  for await (const [index, frame] of pictures.decoded(all)) {
    const { bytes } = await encodePicture(frame, 'jpg');
    yield createMessage(times, index, encodeImage(times.taken_ns(index), id, bytes, 'jpeg'));
  }
}

/** Coded video that can be split into one message per frame. */
interface VideoUnits {
  readonly format: 'h264' | 'h265' | 'av1' | 'vp9';
  readonly count: number;
  /** Time of a frame since the start of the span, in seconds. */
  time_s(frame: number): number;
  units(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** Tolerance at the start of a span, in frames: container stamps and metadata are rounded differently. */
const startTolerance_frames = 0.5;

/**
 * Opens the frames of a span as messages of foxglove.CompressedVideo, or returns the reason as text if they cannot be:
 * a frame out of order or not decodable from those before it, no key frame at the start, or another codec.
 */
export async function openVideoUnits(
  path: string,
  from_s: number,
  until_s: number,
): Promise<VideoUnits | string> {
  const video = await openCodedVideo(path);
  const found = await selectUnits(video, from_s, until_s);
  if (typeof found === 'string') await video.close();
  return found;
}

/** Selects the packets of a span; returns the reason as text if they cannot be messages. */
async function selectUnits(video: CodedVideo, from_s: number, until_s: number): Promise<VideoUnits | string> {
  const av = await import('node-av');
  const { packets, tick_s } = video;
  const codecs = new Map<number, VideoUnits['format']>([
    [av.AV_CODEC_ID_H264, 'h264'],
    [av.AV_CODEC_ID_HEVC, 'h265'],
    [av.AV_CODEC_ID_AV1, 'av1'],
    [av.AV_CODEC_ID_VP9, 'vp9'],
  ]);
  const format = codecs.get(video.stream.codecpar.codecId);
  if (format === undefined) return 'no message declares its codec';
  const half = Math.floor(
    (packets.find(({ duration }) => duration > 0)?.duration ?? 2) * startTolerance_frames,
  );
  const [from, until] = [Math.round(from_s / tick_s) - half, Math.round(until_s / tick_s)];
  const indices = [...packets.keys()].filter(
    (index) => packets[index].pts >= from && packets[index].pts < until,
  );
  if (indices.length === 0) return 'it has no frame in the episode';
  if (!packets[indices[0]].key) return 'the episode does not start at a key frame';
  const rises = indices.every((index, i) => i === 0 || packets[index].pts > packets[indices[i - 1]].pts);
  if (!rises) return 'its frames depend on later frames (B-frames)';
  return {
    format,
    count: indices.length,
    time_s: (frame) => packets[indices[frame]].pts * tick_s - from_s,
    units: () => readUnits(video, format, new Set(indices)),
    close: () => video.close(),
  };
}

/** Reads the packets and yields them in the form of messages. */
async function* readUnits(
  video: CodedVideo,
  format: VideoUnits['format'],
  indices: ReadonlySet<number>,
): AsyncGenerator<Uint8Array> {
  const filter = await openAnnexBFilter(video, format);
  try {
    for await (const [, packet] of video.read(indices)) {
      const data = filter === null ? packet.data : applyFilter(filter, packet);
      if (data === null) continue;
      const unit = Uint8Array.from(data);
      yield format === 'av1' && packet.isKeyframe ? prependSequenceHeader(unit, video) : unit;
    }
  } finally {
    filter?.close();
  }
}

/**
 * Opens the filter that converts H.264 and HEVC from MP4's length prefixes to start codes with parameter sets; null
 * for other codecs.
 */
async function openAnnexBFilter(
  { stream }: CodedVideo,
  format: VideoUnits['format'],
): Promise<BitStreamFilterAPI | null> {
  if (format !== 'h264' && format !== 'h265') return null;
  const { BitStreamFilterAPI } = await import('node-av');
  return BitStreamFilterAPI.create(format === 'h264' ? 'h264_mp4toannexb' : 'hevc_mp4toannexb', stream);
}

/** Passes a packet through the filter; null if it gives no bytes. */
function applyFilter(filter: BitStreamFilterAPI, packet: Packet): Uint8Array | null {
  const out = filter.filterAllSync(packet);
  const parts = out.flatMap(({ data }) => (data === null ? [] : [Buffer.from(data)]));
  for (const one of out) one.free();
  return parts.length === 0 ? null : Buffer.concat(parts);
}

/** OBU types (AV1 specification, 6.2.2). */
const sequenceHeader = 1;
const temporalDelimiter = 2;
/** Size of the av1C header before its OBUs, in bytes. */
const av1ConfigHeaderBytes = 4;

/** Prepends the sequence header, which MP4 may store separately, to an AV1 key frame that lacks it. */
function prependSequenceHeader(unit: Uint8Array, { stream }: CodedVideo): Uint8Array {
  const type = (unit[0] >> 3) & 0x0f;
  const next = type === temporalDelimiter ? (unit[2] >> 3) & 0x0f : type;
  const config = stream.codecpar.extradata?.subarray(av1ConfigHeaderBytes) ?? null;
  return next === sequenceHeader || config === null ? unit : Buffer.concat([config, unit]);
}

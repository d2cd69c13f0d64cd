import type { BitStreamFilterAPI, Packet } from 'node-av';
import { type CodedVideo, openCodedVideo } from '#io/video';

/** Coded video that can be taken apart into messages, a frame each. */
export interface VideoUnits {
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

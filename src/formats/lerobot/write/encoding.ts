import type { JsonObject, JsonValue } from '#core';
import type { VideoFacts } from '#io/video';
import type { EditStep } from '../../shared/write/edits/export-edit.ts';
import { decodeRows } from '../../shared/write/set/export-episode.ts';
import type { EncodedVideos } from './encoded-videos.ts';
import type { SetFeatures } from './features.ts';
import type {
  CameraEncoding,
  CopiedEpisode,
  DecodeVideo,
  EncodedCodec,
  VideoPlacement,
} from './layouts/layout.ts';

/** Target coding of all videos of a set. */
export interface VideoEncoding {
  readonly codec: EncodedCodec;
  readonly size?: readonly [width_px: number, height_px: number];
  /** New rate if rows are resampled; null otherwise. */
  readonly rate_hz: number | null;
}

/**
 * Resolves the target coding of all videos from the edits, H.264 unless they name a codec; null if nothing requires
 * encoding. Every loader reads H.264.
 */
export function resolveEncoding(edits: readonly EditStep[], rate_hz: number | null): VideoEncoding | null {
  const requested = edits.flatMap(({ encode }) => encode ?? []);
  if (requested.length === 0 && rate_hz === null) return null;
  const size = requested.find((one) => one.size !== undefined)?.size;
  const codec = requested.find((one) => one.codec !== undefined)?.codec ?? 'h264';
  return { codec, rate_hz, ...(size === undefined ? {} : { size }) };
}

/** Returns the target coding with a decoder, and with `resampled` true if it has a new rate. */
export function createCameraEncoding(
  { rate_hz, ...coding }: VideoEncoding,
  decode: DecodeVideo,
): CameraEncoding {
  return { ...coding, resampled: rate_hz !== null, decode };
}

/** LeRobot's codec names. */
export const codecNames = { h264: 'h264', h265: 'hevc', av1: 'av1' } as const;

/**
 * Returns the features with codec, pixel format, size and rate of the target coding declared for all videos; others are
 * unchanged.
 */
export function declareEncoding(features: SetFeatures, requested: VideoEncoding): SetFeatures {
  const all = features.all.map((feature) =>
    feature.declaration.dtype === 'video'
      ? { ...feature, declaration: declareEncodedCamera(feature.declaration, requested) }
      : feature,
  );
  return {
    ...features,
    all,
    cameras: all.filter(({ declaration }) => declaration.dtype === 'video'),
    declaration: Object.fromEntries(all.map(({ key, declaration }) => [key, declaration])),
  };
}

function declareEncodedCamera(declaration: JsonObject, { codec, size, rate_hz }: VideoEncoding): JsonObject {
  const { shape, info, names } = declaration;
  const video: Record<string, JsonValue> = { 'video.codec': codecNames[codec], 'video.pix_fmt': 'yuv420p' };
  if (rate_hz !== null) video['video.fps'] = rate_hz;
  if (size !== undefined) Object.assign(video, { 'video.width': size[0], 'video.height': size[1] });
  const own = typeof info === 'object' && info !== null && !Array.isArray(info) ? info : {};
  const isFirst = Array.isArray(names) && String(names[0]).startsWith('channel');
  const scaled = size === undefined ? shape : isFirst ? [3, size[1], size[0]] : [size[1], size[0], 3];
  return { ...declaration, shape: scaled, info: { ...own, ...video } };
}

/**
 * Returns true if a video must be encoded because rows are resampled, or codec, pixel format or size differ; false
 * without an encoding.
 */
export function mustEncode(video: VideoFacts, encoding: CameraEncoding | null): encoding is CameraEncoding {
  if (encoding === null) return false;
  if (encoding.resampled || video.codec !== encoding.codec || !video.is_yuv420p) return true;
  const [width, height] = encoding.size ?? video.size_px;
  return width !== video.size_px[0] || height !== video.size_px[1];
}

/**
 * Decodes a camera's frames for the rows of an episode from the source video, encodes them with `videos` and returns
 * their location.
 */
export function encodeEpisode(
  camera: string,
  episode: CopiedEpisode,
  { videos, encoding }: { readonly videos: EncodedVideos; readonly encoding: CameraEncoding },
): Promise<VideoPlacement> {
  const { id, rows, first, sourceRows } = episode;
  const [video] = episode.videos.filter(({ key }) => key === camera);
  const places = Int32Array.from({ length: rows }, (_, row) =>
    sourceRows === null ? row : sourceRows[row] - first,
  );
  const decode = (wanted: ReadonlySet<number>) => encoding.decode(video, wanted);
  return videos.add({ id, rows, frames: decodeRows(places, decode, { episode: id, camera }) });
}

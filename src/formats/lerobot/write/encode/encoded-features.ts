import type { JsonObject, JsonValue } from '#core';
import type { EditStep } from '../../../shared/write/edits/export-edit.ts';
import type { SetFeatures } from '../features.ts';
import type { CameraEncoding, DecodeVideo } from '../layout.ts';
import type { EncodedCodec } from './encoded-videos.ts';

/** How videos of the new set are coded. */
export interface EncodeAsked {
  readonly codec: EncodedCodec;
  readonly size?: readonly [width_px: number, height_px: number];
  /** Rows a second; null: as many as the source has. */
  readonly rate_hz: number | null;
}

/** Null where nothing is asked of videos: they are copied. H.264 where no codec is named, since every loader reads it. */
export function encodeAsked(edits: readonly EditStep[], rate_hz: number | null): EncodeAsked | null {
  const asked = edits.flatMap(({ encode }) => encode ?? []);
  if (asked.length === 0 && rate_hz === null) return null;
  const size = asked.find((one) => one.size !== undefined)?.size;
  const codec = asked.find((one) => one.codec !== undefined)?.codec ?? 'h264';
  return { codec, rate_hz, ...(size === undefined ? {} : { size }) };
}

export function cameraEncoding({ rate_hz, ...coding }: EncodeAsked, decode: DecodeVideo): CameraEncoding {
  return { ...coding, resampled: rate_hz !== null, decode };
}

export const codecNames = { h264: 'h264', h265: 'hevc', av1: 'av1' } as const;

/** Features as they are declared once every video is so coded. */
export function encodedFeatures(features: SetFeatures, asked: EncodeAsked): SetFeatures {
  const all = features.all.map((feature) =>
    feature.declaration.dtype === 'video'
      ? { ...feature, declaration: encodedCamera(feature.declaration, asked) }
      : feature,
  );
  return {
    ...features,
    all,
    cameras: all.filter(({ declaration }) => declaration.dtype === 'video'),
    declaration: Object.fromEntries(all.map(({ key, declaration }) => [key, declaration])),
  };
}

function encodedCamera(declaration: JsonObject, { codec, size, rate_hz }: EncodeAsked): JsonObject {
  const { shape, info, names } = declaration;
  const said: Record<string, JsonValue> = { 'video.codec': codecNames[codec], 'video.pix_fmt': 'yuv420p' };
  if (rate_hz !== null) said['video.fps'] = rate_hz;
  if (size !== undefined) Object.assign(said, { 'video.width': size[0], 'video.height': size[1] });
  const own = typeof info === 'object' && info !== null && !Array.isArray(info) ? info : {};
  const isFirst = Array.isArray(names) && String(names[0]).startsWith('channel');
  const scaled = size === undefined ? shape : isFirst ? [3, size[1], size[0]] : [size[1], size[0], 3];
  return { ...declaration, shape: scaled, info: { ...own, ...said } };
}

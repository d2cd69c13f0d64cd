import { significant, spread } from '#core';
import type { CameraEvidence, SampledFrames, Stream } from '#core/episode';
import { sketchColumn } from './column.ts';
import type { CameraSketch, ThumbnailSketch } from './sketch-types.ts';
import { type MeasuredAxis, measureAxis } from './time-axis.ts';

const traces = [
  ['brightness', 'luma_mean'],
  ['change', 'difference'],
  ['sharpness', 'sharpness'],
] as const satisfies readonly (readonly [string, keyof SampledFrames])[];

interface CameraBounds {
  /** Codes a column may have. */
  readonly codes: number;
  /** Repeats drawn at most. */
  readonly places: number;
  readonly duration_s: number;
}

/** What the report shows of one camera, and the axis of its sampled frames where there are any. */
export function sketchCamera(
  stream: Stream,
  evidence: CameraEvidence | undefined,
  { codes, places, duration_s }: CameraBounds,
): { camera: Omit<CameraSketch, 'axis'>; axis: MeasuredAxis | null } {
  if (evidence === undefined) return { camera: unseen(stream), axis: null };
  const { sampled } = evidence;
  const axis =
    sampled.time_s.length > 1 ? measureAxis(sampled.time_s, sampled.time_s.length, codes, duration_s) : null;
  return {
    axis,
    camera: {
      id: stream.id,
      decodable: evidence.decodable,
      reason: evidence.reason,
      summary: summaryOf(evidence),
      traces:
        axis === null
          ? []
          : traces.map(([name, member]) => ({
              name,
              column: sketchColumn(sampled[member], 1, 0, axis.buckets),
            })),
      repeats: spread(evidence.repeats.places, places).map(([from_s, to_s]) => [
        significant(from_s),
        significant(to_s),
      ]),
      repeated: evidence.repeats.place_count,
      thumbnails: evidence.thumbnails.map(thumbnail),
    },
  };
}

function unseen(stream: Stream): Omit<CameraSketch, 'axis'> {
  const missing = stream.frames?.locator.type === 'missing' ? stream.frames.locator.reason : null;
  return {
    id: stream.id,
    decodable: missing === null ? 'not_measured' : 'missing',
    reason: missing,
    summary: null,
    traces: [],
    repeats: [],
    repeated: 0,
    thumbnails: [],
  };
}

function summaryOf({ container, repeats }: CameraEvidence): string | null {
  if (container === null) return null;
  const rate = container.rate_hz === null ? '' : `, ${significant(container.rate_hz, 4)} Hz`;
  const equal = repeats.pairs_equal > 0 ? `, ${repeats.pairs_equal} of ${repeats.pairs_compared} repeat` : '';
  return `${container.width_px}×${container.height_px} ${container.codec}, ${container.frame_count} ${container.frame_count === 1 ? 'frame' : 'frames'}${rate}${equal}`;
}

function thumbnail(picture: CameraEvidence['thumbnails'][number]): ThumbnailSketch {
  const { buffer, byteOffset, byteLength } = picture.jpeg;
  return {
    time_s: significant(picture.time_s),
    width_px: picture.width_px,
    height_px: picture.height_px,
    why: picture.why,
    jpeg: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
  };
}

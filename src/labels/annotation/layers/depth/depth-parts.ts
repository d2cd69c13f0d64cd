import { type JsonObject, limits, significant } from '#core';
import type { LanePart } from '../../lane.ts';
import { micro } from '../../micro.ts';
import { type DepthMap, type DepthSamples, hashOf, pngOf, sampleQuantiles } from './depth-map.ts';

interface PlacedMap extends DepthMap {
  readonly row: number;
  readonly time_s: number;
}

const mostBytes = limits.annotation.depth_bytes.value;

/** Depth maps of an episode as PNG parts, and what the artifact says of each. */
export class DepthParts {
  readonly parts: LanePart[] = [];
  #bytes = 0;

  /** What is said of a frame; its map is kept as a part while there is room. */
  async add(map: PlacedMap, { samples, scale, offset }: DepthSamples): Promise<JsonObject> {
    const { row, time_s, width_px, height_px } = map;
    const bytes = await pngOf(map, samples);
    const isRoom = this.#bytes + bytes.length <= mostBytes;
    const name = `depth-${String(this.parts.length).padStart(5, '0')}.png`;
    if (isRoom) {
      this.#bytes += bytes.length;
      this.parts.push({ name, media_type: 'image/png', bytes });
    }
    const valid = samples.reduce((sum, sample) => sum + (sample === 0 ? 0 : 1), 0);
    return {
      ...{ row, time_s: micro(time_s), width_px, height_px, scale, offset },
      part: isRoom ? name : null,
      part_reason: isRoom ? null : `depth maps of an episode take ${mostBytes} bytes at most`,
      quantiles: quantilesOf({ samples, scale, offset }),
      samples_sha256: hashOf(samples),
      with_depth_fraction: significant(valid / samples.length, 4),
    };
  }
}

/** Below which a fiftieth, half, and all but a fiftieth of the depths of a frame lie; null where it has none. */
function quantilesOf({ samples, scale, offset }: DepthSamples): JsonObject | null {
  const found = sampleQuantiles(samples, [0.02, 0.5, 0.98]);
  if (found === null) return null;
  const [p02, p50, p98] = found.map((sample) => significant(offset + scale * sample, 6));
  return { p02, p50, p98 };
}

/** What the artifact says of a camera. */
export type CameraJson = JsonObject & {
  readonly unreadable: string | null;
  readonly frames: readonly JsonObject[];
  readonly missing: readonly ReturnType<typeof missingJson>[];
};

/** A frame that there is no depth of. */
export const missingJson = ({ row, time_s, reason }: { row: number; time_s: number; reason: string }) => ({
  row,
  time_s: micro(time_s),
  reason,
});

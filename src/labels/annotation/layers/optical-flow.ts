import { clamp, type JsonObject, type JsonValue, limits, significant } from '#core';
import { layerTitles } from '#core/titles';
import { FarnebackFlow, farnebackSettings, type PairFlow } from '#labels/models';
import { integerKnob, numberKnob } from '../knob.ts';
import {
  type FrameBatch,
  type Lane,
  type LaneContext,
  type LaneEpisode,
  type LaneFrame,
  type LaneOutput,
  type LanePart,
  mainPart,
  roundToMicroseconds,
} from '../lane.ts';
import {
  allModes,
  countSampledPictures,
  type LayerRow,
  noMotionReason,
  noPicturesReason,
  sampledFrames,
} from '../layer.ts';

/** Dense optical flow between sampled frames. */
const lane: Lane = { version: 1, run: computeFlow };

/** The optical flow layer. */
export const opticalFlow: LayerRow = {
  id: 'optical_flow',
  title: layerTitles.optical_flow,
  produces: 'motion of each pixel between consecutive sampled frames, in pixels',
  needs: { signals: false, frames: sampledFrames(), layers: [], models: [{ surface: 'optical_flow' }] },
  unfit: { 'state-only': noPicturesReason, 'vision-asset': noMotionReason },
  quality: {
    signal: 'consistent_fraction',
    how: 'fraction of pixels whose forward and backward flow agree to within one pixel; pixels that leave the image count as not agreeing',
  },
  exports: [],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 30, 2], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
    max_side_px: integerKnob([64, 1024, 320], 'px', {
      summary: 'longer side of the image that flow is computed on',
      moves_cost: true,
    }),
  },
  planned_compute_s: (size, { sample_hz, max_side_px }) =>
    0.1 * (Number(max_side_px) / 320) ** 2 * countSampledPictures(size, sample_hz),
  lane,
};

const method = 'opencv/farneback';

/**
 * Computes the displacement of each pixel between consecutive sampled frames of a camera, forward and backward; their
 * agreement is the quality signal.
 */
async function computeFlow(_: LaneEpisode, context: LaneContext): Promise<LaneOutput> {
  context.useAlgorithm('optical_flow', method);
  using flow = await FarnebackFlow.create();
  const planes = new FlowPlanes();
  const cameras = new Map<string, CameraFlow>();
  const onPicture = (): void => {
    context.signal.throwIfAborted();
    context.progress();
  };
  for await (const batch of context.frames()) {
    const { camera } = batch;
    const cameraFlow = cameras.get(camera) ?? new CameraFlow(camera, flow, planes);
    cameras.set(camera, cameraFlow);
    cameraFlow.add(batch, onPicture);
  }
  return buildOutput([...cameras.values()], planes);
}

function buildOutput(cameras: readonly CameraFlow[], planes: FlowPlanes): LaneOutput {
  const pairs = cameras.reduce((sum, cameraFlow) => sum + cameraFlow.pairs, 0);
  const pixels = cameras.reduce((sum, cameraFlow) => sum + cameraFlow.pixels, 0);
  const consistent_px = cameras.reduce((sum, cameraFlow) => sum + cameraFlow.consistent_px, 0);
  const json = buildArtifact(cameras);
  return {
    parts: [{ name: mainPart, media_type: 'application/json', json }, ...planes.parts()],
    counts: { cameras: cameras.filter((cameraFlow) => cameraFlow.pairs > 0).length, pairs },
    quality: pixels > 0 ? significant(consistent_px / pixels, 4) : null,
    quality_reason: pixels > 0 ? null : 'no camera has two comparable frames',
  };
}

const buildArtifact = (cameras: readonly CameraFlow[]): JsonObject => ({
  cameras: cameras.map((cameraFlow) => cameraFlow.json()),
  method: { id: method, settings: farnebackSettings },
  planes: {
    byte_order: 'little',
    kept_bytes_at_most: limits.annotation.flow_bytes.value,
    order: ['x', 'y'],
    px_per_unit: 1 / unitsPerPixel,
    rows: 'from the top, of width_px values each',
    type: 'int16',
  },
  schema: 'assay/optical-flow/v1',
});

/** Columns of the pairs table, which has a row per frame pair. */
const pairColumns = [
  'consistent_fraction',
  'from_row',
  'from_s',
  'height_px',
  'left_fraction',
  'mean_px',
  'offset_bytes',
  'part',
  'to_row',
  'to_s',
  'width_px',
] as const;
type Column = (typeof pairColumns)[number];

/** Collects the flow of one camera between consecutive sampled frames. */
class CameraFlow {
  readonly #camera: string;
  readonly #flow: FarnebackFlow;
  readonly #planes: FlowPlanes;
  readonly #pairs: Record<Column, JsonValue[]>;
  readonly #missing: JsonObject[] = [];
  #unreadable: string | null = null;
  #before: Pick<LaneFrame, 'row' | 'time_s'> | null = null;
  /** Pixel counts over all pairs, for the consistent fraction. */
  consistent_px = 0;
  pixels = 0;

  constructor(camera: string, flow: FarnebackFlow, planes: FlowPlanes) {
    this.#camera = camera;
    this.#flow = flow;
    this.#planes = planes;
    this.#pairs = Object.fromEntries(pairColumns.map((name) => [name, []])) as unknown as Record<
      Column,
      JsonValue[]
    >;
    flow.reset();
  }

  get pairs(): number {
    return this.#pairs.from_row.length;
  }

  /**
   * Adds a batch. `onPicture` is called before each frame and may throw. Flow is not computed across missing frames.
   */
  add({ frames, missing, unreadable }: FrameBatch, onPicture: () => void): void {
    this.#unreadable ??= unreadable;
    const gaps = missing.map(({ row }) => row);
    for (const { reason, row, time_s } of missing)
      this.#missing.push({ reason, row, time_s: roundToMicroseconds(time_s) });
    for (const frame of frames) {
      onPicture();
      const from = this.#before;
      if (from !== null && hasRowBetween(gaps, from.row, frame.row)) this.#flow.reset();
      const found = this.#flow.next(frame);
      this.#before = { row: frame.row, time_s: frame.time_s };
      if (found !== null && from !== null) this.#addPair(from, frame, found);
    }
    // A frame missing at the end of a batch separates it from the next batch.
    const last = this.#before?.row ?? -1;
    if (gaps.some((row) => row > last)) this.#flow.reset();
  }

  json(): JsonObject {
    return {
      camera: this.#camera,
      missing: this.#missing,
      pairs: this.#pairs as unknown as JsonObject,
      reason: this.pairs > 0 ? null : (this.#unreadable ?? 'no two consecutive frames of the same size'),
    };
  }

  #addPair(from: Pick<LaneFrame, 'row' | 'time_s'>, to: LaneFrame, found: PairFlow): void {
    const { width_px, height_px } = to;
    const { consistent, left } = computeConsistency(found, to);
    const location = this.#planes.add(found.forward);
    const pair: Readonly<Record<Column, JsonValue>> = {
      consistent_fraction: significant(consistent, 4),
      from_row: from.row,
      from_s: roundToMicroseconds(from.time_s),
      height_px,
      left_fraction: significant(left, 4),
      mean_px: significant(meanLength_px(found.forward), 4),
      offset_bytes: location?.offset_bytes ?? null,
      part: location?.part ?? null,
      to_row: to.row,
      to_s: roundToMicroseconds(to.time_s),
      width_px,
    };
    for (const name of pairColumns) this.#pairs[name].push(pair[name]);
    this.consistent_px += consistent * width_px * height_px;
    this.pixels += width_px * height_px;
  }
}

const hasRowBetween = (rows: readonly number[], from: number, to: number): boolean =>
  rows.some((row) => row > from && row < to);

interface Size {
  readonly width_px: number;
  readonly height_px: number;
}

/** Forward-backward consistency, as fractions of all pixels. */
interface FlowConsistency {
  /** Fraction that returns to within 1 px of the start. */
  readonly consistent: number;
  /** Fraction that moves out of the picture, so that there is no backward flow to follow. */
  readonly left: number;
}

const maxReturn_px = 1;

/**
 * Returns two fractions of all pixels: those that forward and backward flow bring back to within `maxReturn_px`, and
 * those that leave the picture, which never count as brought back. Backward flow is interpolated bilinearly at the
 * target of the forward flow.
 */
export function computeConsistency(
  { forward, backward }: PairFlow,
  { width_px, height_px }: Size,
): FlowConsistency {
  let consistent = 0;
  let left = 0;
  for (let y = 0; y < height_px; y++)
    for (let x = 0; x < width_px; x++) {
      const at = 2 * (y * width_px + x);
      const [dx, dy] = [forward[at], forward[at + 1]];
      if (!isInside(x + dx, width_px) || !isInside(y + dy, height_px)) {
        left++;
        continue;
      }
      const to_x = clamp(x + dx, 0, width_px - 1);
      const to_y = clamp(y + dy, 0, height_px - 1);
      const [x0, y0] = [Math.floor(to_x), Math.floor(to_y)];
      const right = x0 + 1 < width_px ? 2 : 0;
      const below = y0 + 1 < height_px ? 2 * width_px : 0;
      const corner = 2 * (y0 * width_px + x0);
      const [fx, fy] = [to_x - x0, to_y - y0];
      const back = (axis: 0 | 1): number => {
        const i = corner + axis;
        const above = backward[i] * (1 - fx) + backward[i + right] * fx;
        const under = backward[i + below] * (1 - fx) + backward[i + below + right] * fx;
        return above * (1 - fy) + under * fy;
      };
      if (Math.hypot(dx + back(0), dy + back(1)) <= maxReturn_px) consistent++;
    }
  const pixels = width_px * height_px;
  return { consistent: consistent / pixels, left: left / pixels };
}

/** Returns whether a coordinate lies in the picture; a pixel extends half a px beyond its centre. */
const isInside = (at: number, size: number): boolean => at >= -0.5 && at <= size - 0.5;

/** Returns the mean length of the displacements, in px. */
function meanLength_px(flow: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < flow.length; at += 2) sum += Math.hypot(flow[at], flow[at + 1]);
  return sum / (flow.length / 2);
}

/** Stored units per px: finer than the accuracy of the flow, while 1024 px still fit 16 bits. */
export const unitsPerPixel = 32;
const [minInt16, maxInt16] = [-(2 ** 15), 2 ** 15 - 1];

/** Size at which a part is closed and the next one begins. */
const maxPart_bytes = 16e6;

/** Location of the planes of a pair. */
interface PlanesLocation {
  /** Part name. */
  readonly part: string;
  readonly offset_bytes: number;
}

/** Collects displacements as two int16 planes per pair, in parts of up to `maxPart_bytes`. */
export class FlowPlanes {
  readonly #max_bytes: number;
  readonly #full: LanePart[] = [];
  #open: Buffer[] = [];
  #openBytes = 0;
  #stored_bytes = 0;

  constructor(max_bytes: number = limits.annotation.flow_bytes.value) {
    this.#max_bytes = max_bytes;
  }

  /** Adds the flow of a pair and returns its location; `null` if the episode's size limit is reached. */
  add(flow: Float32Array): PlanesLocation | null {
    const bytes = 2 * flow.length;
    if (this.#stored_bytes + bytes > this.#max_bytes) return null;
    if (this.#openBytes > 0 && this.#openBytes + bytes > maxPart_bytes) this.#close();
    const location = { part: this.#name(), offset_bytes: this.#openBytes };
    this.#open.push(encodePlanes(flow));
    this.#openBytes += bytes;
    this.#stored_bytes += bytes;
    return location;
  }

  /** Returns all parts, after closing the one that is not full. */
  parts(): readonly LanePart[] {
    if (this.#open.length > 0) this.#close();
    return this.#full;
  }

  #name(): string {
    return `flow-${String(this.#full.length).padStart(4, '0')}`;
  }

  #close(): void {
    const bytes = Buffer.concat(this.#open);
    this.#full.push({ name: this.#name(), media_type: 'application/octet-stream', bytes });
    this.#open = [];
    this.#openBytes = 0;
  }
}

/** Encodes all x displacements, then all y; values beyond the int16 range are clamped. */
function encodePlanes(flow: Float32Array): Buffer {
  const pixels = flow.length / 2;
  const bytes = Buffer.alloc(2 * flow.length);
  for (let at = 0; at < flow.length; at++) {
    const units = Math.min(maxInt16, Math.max(minInt16, Math.round(flow[at] * unitsPerPixel)));
    bytes.writeInt16LE(units, 2 * ((at >> 1) + (at & 1) * pixels));
  }
  return bytes;
}

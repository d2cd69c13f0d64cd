import { AssayError, clamp, type JsonObject, type JsonValue, limits, significant } from '#core';
import { FarnebackFlow, farnebackSettings, type PairFlow } from '#labels/models';
import {
  type FrameBatch,
  type Lane,
  type LaneContext,
  type LaneEpisode,
  type LaneFrame,
  type LaneOutput,
  type LanePart,
  mainPart,
} from '../../lane.ts';
import { micro } from '../../micro.ts';

export const lane: Lane = { version: 1, requires: [], run: measureFlow };

const method = 'opencv/farneback';

/** How far each pixel moves from one sampled frame of a camera to the next; the way back tells how far to trust it. */
async function measureFlow(_: LaneEpisode, context: LaneContext): Promise<LaneOutput> {
  const chosen = await context.model('optical_flow');
  if (chosen !== null)
    throw new AssayError('layer_unavailable', `this version has no way to ask ${chosen.model} for flow`, {
      advice: `choose ${method} for the surface optical_flow`,
    });
  using flow = await FarnebackFlow.create();
  const planes = new FlowPlanes();
  const cameras = new Map<string, CameraFlow>();
  const onPicture = (): void => {
    context.signal.throwIfAborted();
    context.progress();
  };
  for await (const batch of context.frames()) {
    const { camera } = batch;
    const own = cameras.get(camera) ?? new CameraFlow(camera, flow, planes);
    cameras.set(camera, own);
    own.add(batch, onPicture);
  }
  return outputOf([...cameras.values()], planes);
}

function outputOf(cameras: readonly CameraFlow[], planes: FlowPlanes): LaneOutput {
  const pairs = cameras.reduce((sum, own) => sum + own.pairs, 0);
  const pixels = cameras.reduce((sum, own) => sum + own.pixels, 0);
  const consistent_px = cameras.reduce((sum, own) => sum + own.consistent_px, 0);
  const json = artifactOf(cameras);
  return {
    parts: [{ name: mainPart, media_type: 'application/json', json }, ...planes.parts()],
    counts: { cameras: cameras.filter((own) => own.pairs > 0).length, pairs },
    quality: pixels > 0 ? significant(consistent_px / pixels, 4) : null,
    quality_reason: pixels > 0 ? null : 'no camera has two frames that can be compared',
  };
}

const artifactOf = (cameras: readonly CameraFlow[]): JsonObject => ({
  cameras: cameras.map((own) => own.json()),
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

/** Columns of the pairs, each of a row for every pair. */
const columns = [
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
type Column = (typeof columns)[number];

/** The flow of one camera, from each of its sampled frames to the next. */
class CameraFlow {
  readonly #camera: string;
  readonly #flow: FarnebackFlow;
  readonly #planes: FlowPlanes;
  readonly #pairs: Record<Column, JsonValue[]>;
  readonly #missing: JsonObject[] = [];
  #unreadable: string | null = null;
  #before: Pick<LaneFrame, 'row' | 'time_s'> | null = null;
  /** Sums over pixels of all pairs, for the share that is consistent. */
  consistent_px = 0;
  pixels = 0;

  constructor(camera: string, flow: FarnebackFlow, planes: FlowPlanes) {
    this.#camera = camera;
    this.#flow = flow;
    this.#planes = planes;
    this.#pairs = Object.fromEntries(columns.map((name) => [name, []])) as unknown as Record<
      Column,
      JsonValue[]
    >;
    flow.forget();
  }

  get pairs(): number {
    return this.#pairs.from_row.length;
  }

  /** `onPicture` is called before each picture, and may throw. */
  add({ frames, missing, unreadable }: FrameBatch, onPicture: () => void): void {
    this.#unreadable ??= unreadable;
    const gaps = missing.map(({ row }) => row);
    for (const { reason, row, time_s } of missing) this.#missing.push({ reason, row, time_s: micro(time_s) });
    for (const frame of frames) {
      onPicture();
      const from = this.#before;
      if (from !== null && isBetween(gaps, from.row, frame.row)) this.#flow.forget();
      const found = this.#flow.next(frame);
      this.#before = { row: frame.row, time_s: frame.time_s };
      if (found !== null && from !== null) this.#keep(from, frame, found);
    }
    // A frame that is missing at the end of a batch stands before the next one.
    const last = this.#before?.row ?? -1;
    if (gaps.some((row) => row > last)) this.#flow.forget();
  }

  json(): JsonObject {
    return {
      camera: this.#camera,
      missing: this.#missing,
      pairs: this.#pairs as unknown as JsonObject,
      reason: this.pairs > 0 ? null : (this.#unreadable ?? 'no two neighbouring frames of one size'),
    };
  }

  #keep(from: Pick<LaneFrame, 'row' | 'time_s'>, to: LaneFrame, found: PairFlow): void {
    const { width_px, height_px } = to;
    const { consistent, left } = consistencyOf(found, to);
    const place = this.#planes.add(found.forward);
    const pair: Readonly<Record<Column, JsonValue>> = {
      consistent_fraction: significant(consistent, 4),
      from_row: from.row,
      from_s: micro(from.time_s),
      height_px,
      left_fraction: significant(left, 4),
      mean_px: significant(meanLength_px(found.forward), 4),
      offset_bytes: place?.offset_bytes ?? null,
      part: place?.part ?? null,
      to_row: to.row,
      to_s: micro(to.time_s),
      width_px,
    };
    for (const name of columns) this.#pairs[name].push(pair[name]);
    this.consistent_px += consistent * width_px * height_px;
    this.pixels += width_px * height_px;
  }
}

const isBetween = (rows: readonly number[], from: number, to: number): boolean =>
  rows.some((row) => row > from && row < to);

interface Size {
  readonly width_px: number;
  readonly height_px: number;
}

/** What flow there and back says of itself, in shares of all pixels. */
interface Consistency {
  /** Come back to within a pixel of where they started. */
  readonly consistent: number;
  /** Are led out of the picture, so that nothing leads back. */
  readonly left: number;
}

const within_px = 1;

/** The way back is read between the pixels around where the way there ends, each weighted by its nearness. */
export function consistencyOf({ forward, backward }: PairFlow, { width_px, height_px }: Size): Consistency {
  let consistent = 0;
  let left = 0;
  for (let y = 0; y < height_px; y++)
    for (let x = 0; x < width_px; x++) {
      const at = 2 * (y * width_px + x);
      const [dx, dy] = [forward[at], forward[at + 1]];
      if (!isWithin(x + dx, width_px) || !isWithin(y + dy, height_px)) {
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
      if (Math.hypot(dx + back(0), dy + back(1)) <= within_px) consistent++;
    }
  const pixels = width_px * height_px;
  return { consistent: consistent / pixels, left: left / pixels };
}

/** A pixel reaches half of its size beyond its centre. */
const isWithin = (at: number, size: number): boolean => at >= -0.5 && at <= size - 0.5;

/** Mean length of the displacements, in px. */
function meanLength_px(flow: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < flow.length; at += 2) sum += Math.hypot(flow[at], flow[at + 1]);
  return sum / (flow.length / 2);
}

/** Steps of a pixel that planes count in: finer than what flow is exact to, and 1024 px are within 16 bits. */
export const unitsPerPixel = 32;
const [least, greatest] = [-(2 ** 15), 2 ** 15 - 1];

/** Pairs go into one part until it holds so much. */
const partBytes = 16e6;

/** Where the planes of a pair lie. */
interface PlanesPlace {
  /** Name of the part. */
  readonly part: string;
  readonly offset_bytes: number;
}

/** Displacements as two planes of 16-bit integers a pair, in parts of some megabytes. */
export class FlowPlanes {
  readonly #most_bytes: number;
  readonly #full: LanePart[] = [];
  #open: Buffer[] = [];
  #openBytes = 0;
  #kept_bytes = 0;

  constructor(most_bytes: number = limits.annotation.flow_bytes.value) {
    this.#most_bytes = most_bytes;
  }

  /** Null: an episode keeps no more than it has. */
  add(flow: Float32Array): PlanesPlace | null {
    const bytes = 2 * flow.length;
    if (this.#kept_bytes + bytes > this.#most_bytes) return null;
    if (this.#openBytes > 0 && this.#openBytes + bytes > partBytes) this.#close();
    const place = { part: this.#name(), offset_bytes: this.#openBytes };
    this.#open.push(planesOf(flow));
    this.#openBytes += bytes;
    this.#kept_bytes += bytes;
    return place;
  }

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

/** All x, then all y; what does not fit is the nearest that does. */
function planesOf(flow: Float32Array): Buffer {
  const pixels = flow.length / 2;
  const bytes = Buffer.alloc(2 * flow.length);
  for (let at = 0; at < flow.length; at++) {
    const units = Math.min(greatest, Math.max(least, Math.round(flow[at] * unitsPerPixel)));
    bytes.writeInt16LE(units, 2 * ((at >> 1) + (at & 1) * pixels));
  }
  return bytes;
}

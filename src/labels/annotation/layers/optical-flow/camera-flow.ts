import { type JsonObject, type JsonValue, significant } from '#core';
import type { FarnebackFlow, PairFlow } from '#labels/models';
import type { FrameBatch, LaneFrame } from '../../lane.ts';
import { micro } from '../../micro.ts';
import { consistencyOf, meanLength_px } from './consistency.ts';
import type { FlowPlanes } from './flow-planes.ts';

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
export class CameraFlow {
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

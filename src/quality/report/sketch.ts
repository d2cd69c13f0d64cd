import { clamp, significant, spread } from '#core';
import { type CameraEvidence, type Episode, type SampledFrames, type Stream, timesOf } from '#core/episode';
import { sketchColumn } from './column.ts';
import type {
  CameraSketch,
  Column,
  EpisodeSketch,
  StreamSketch,
  ThumbnailSketch,
  TimeAxis,
} from './sketch-types.ts';
import { type MeasuredAxis, measureAxis } from './time-axis.ts';

export interface SketchOptions {
  /** Codes an episode may hold in all (2 bytes each); fewer for datasets of many episodes. See `sketchBudget`. */
  readonly codes?: number;
}

const mostColumns = 1024;
const mostEvents = 64;
const fewestCodes = 64;
const mostCodes = 600;
const usualCodes = 24_000;
/** Repeated frames drawn of a camera, the fewer in a large dataset. */
const mostPlaces = 200;
const fewPlaces = 40;

/** Codes an episode's sketch may hold, so that the report of a large dataset stays within reach. */
export function sketchBudget(episodes: number): number {
  return episodes > 20_000 ? 1_800 : episodes > 2_000 ? 2_400 : usualCodes;
}

/** What of an episode the report draws. */
export type Drawn = Pick<Episode, 'streams' | 'duration_s' | 'events'>;

/**
 * Reduces an episode to what the report draws. A column gets at most 600 codes: up to 600 samples are kept one by one,
 * longer recordings as least and greatest value of up to 300 buckets, so that no spike is lost.
 */
export function sketchEpisode(
  episode: Drawn,
  cameras: ReadonlyMap<string, CameraEvidence>,
  options: SketchOptions = {},
): EpisodeSketch {
  const codes = codesPerColumn(episode, options.codes ?? usualCodes);
  const places = (options.codes ?? usualCodes) < usualCodes ? fewPlaces : mostPlaces;
  const axes = new AxisTable(codes, episode.duration_s);
  const omitted: string[] = [];
  const streams: StreamSketch[] = [];
  const pictures: CameraSketch[] = [];
  let columns = 0;
  for (const stream of episode.streams) {
    if (stream.frames !== undefined) {
      const { camera, axis } = sketchCamera(stream, cameras.get(stream.id), {
        ...{ codes, places, duration_s: episode.duration_s },
      });
      pictures.push({ ...camera, axis: axis === null ? null : axes.put(axis.sketch) });
    }
    if (stream.series === undefined && timesOf(stream) === null) continue;
    const sketch = sketchStream(stream, axes, mostColumns - columns);
    columns += sketch.columns.length;
    if (sketch.columns.length < sketch.dims) {
      omitted.push(`${stream.id}: ${sketch.dims - sketch.columns.length} of ${sketch.dims} dimensions`);
    }
    streams.push(sketch);
  }
  if (episode.events.length > mostEvents) omitted.push(`${episode.events.length - mostEvents} events`);
  const events = episode.events
    .slice(0, mostEvents)
    .map(({ time_s, label }) => ({ time_s: significant(time_s), label }));
  return { axes: axes.sketches, streams, cameras: pictures, events, omitted };
}

function codesPerColumn(episode: Drawn, budget: number): number {
  let columns = 0;
  for (const stream of episode.streams) columns += stream.series?.dims ?? 0;
  return clamp(2 * Math.floor(budget / Math.max(1, columns) / 2), fewestCodes, mostCodes);
}

function sketchStream(stream: Stream, axes: AxisTable, room: number): StreamSketch {
  const dims = stream.series?.dims ?? 0;
  const { buckets, index, timed } = axes.of(stream);
  const columns: Column[] = [];
  if (stream.series !== undefined) {
    const kept = Math.min(usedDims(stream), room);
    for (let d = 0; d < kept; d++) {
      const { broken, ...column } = sketchColumn(stream.series.values, dims, d, buckets);
      columns.push(broken === undefined || stream.nan_means !== undefined ? column : { ...column, broken });
    }
  }
  return { id: stream.id, axis: index, timed, names: stream.names, dims, columns };
}

/** Dimensions up to the last with a number, where NaN says that one is not in use; else all. */
function usedDims({ nan_means, series }: Stream): number {
  const { values, dims } = series!;
  if (nan_means === undefined) return dims;
  const hasNumber = (d: number) => {
    for (let at = d; at < values.length; at += dims) if (!Number.isNaN(values[at])) return true;
    return false;
  };
  let used = dims;
  while (used > 0 && !hasNumber(used - 1)) used--;
  return used;
}

/** Axes by the stamps they were made of: streams that share stamps share an axis. */
class AxisTable {
  readonly sketches: TimeAxis[] = [];
  readonly #known: { time: Float64Array | null; samples: number; axis: MeasuredAxis; index: number }[] = [];
  readonly #codes: number;
  readonly #duration_s: number;

  constructor(codes: number, duration_s: number) {
    this.#codes = codes;
    this.#duration_s = duration_s;
  }

  put(axis: TimeAxis): number {
    return this.sketches.push(axis) - 1;
  }

  of(stream: Stream): { buckets: MeasuredAxis['buckets']; index: number; timed: boolean } {
    const time = timesOf(stream);
    const { sample_count, series } = stream;
    const rows =
      series === undefined ? sample_count : Math.floor(series.values.length / Math.max(1, series.dims));
    const samples = time === null ? rows : Math.min(rows, time.length);
    let known = this.#known.find((each) => each.samples === samples && sameStamps(each.time, time, samples));
    if (known === undefined) {
      const axis = measureAxis(time, samples, this.#codes, this.#duration_s);
      known = { time, samples, axis, index: this.put(axis.sketch) };
      this.#known.push(known);
    }
    return { buckets: known.axis.buckets, index: known.index, timed: time !== null };
  }
}

function sameStamps(a: Float64Array | null, b: Float64Array | null, samples: number): boolean {
  if (a === b || a === null || b === null) return a === b;
  for (let i = 0; i < samples; i++) if (a[i] !== b[i]) return false;
  return true;
}

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
function sketchCamera(
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

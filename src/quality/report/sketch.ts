import { clamp, significant } from '#core';
import { type CameraEvidence, type Episode, type Stream, timesOf } from '#core/episode';
import { sketchCamera } from './camera-sketch.ts';
import { sketchColumn } from './column.ts';
import type { CameraSketch, Column, EpisodeSketch, StreamSketch, TimeAxis } from './sketch-types.ts';
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

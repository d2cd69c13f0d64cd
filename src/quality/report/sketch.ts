import { clamp, sampleEvenly, significant } from '#core';
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

/** Options of `sketchEpisode`. */
export interface SketchOptions {
  /**
   * Maximum number of codes per episode (2 bytes each); lower for large datasets. See `computeSketchBudget`.
   */
  readonly codes?: number;
}

const maxColumns = 1024;
const maxEvents = 64;
const minCodes = 64;
const maxCodes = 600;
const defaultCodes = 24_000;
/** Maximum number of repeat spans per camera; fewer in a large dataset. */
const maxRepeats = 200;
const maxRepeatsOfLargeDataset = 40;

/** Returns the maximum number of stored sample values per episode, to limit the report's size: fewer above 2,000 and above 20,000 episodes. */
export function maxSketchSamples(episodes: number): number {
  return episodes > 20_000 ? 1_800 : episodes > 2_000 ? 2_400 : defaultCodes;
}

/** Part of an episode that is sketched. */
export type SketchInput = Pick<Episode, 'streams' | 'duration_s' | 'events'>;

/**
 * Reduces an episode to what the report draws, and lists in `omitted` what exceeds the limits on columns and events.
 * A column has at most 600 codes: up to 600 samples are stored one by one, longer recordings as minimum and maximum
 * of up to 300 buckets, so that no spike is lost.
 */
export function sketchEpisode(
  episode: SketchInput,
  cameras: ReadonlyMap<string, CameraEvidence>,
  options: SketchOptions = {},
): EpisodeSketch {
  const codes = computeCodesPerColumn(episode, options.codes ?? defaultCodes);
  const maxRepeatSpans =
    (options.codes ?? defaultCodes) < defaultCodes ? maxRepeatsOfLargeDataset : maxRepeats;
  const axes = new AxisTable(codes, episode.duration_s);
  const omitted: string[] = [];
  const streams: StreamSketch[] = [];
  const pictures: CameraSketch[] = [];
  let columns = 0;
  for (const stream of episode.streams) {
    if (stream.frames !== undefined) {
      const { camera, axis } = sketchCamera(stream, cameras.get(stream.id), {
        ...{ codes, places: maxRepeatSpans, duration_s: episode.duration_s },
      });
      pictures.push({ ...camera, axis: axis === null ? null : axes.add(axis.sketch) });
    }
    if (stream.series === undefined && timesOf(stream) === null) continue;
    const sketch = sketchStream(stream, axes, maxColumns - columns);
    columns += sketch.columns.length;
    if (sketch.columns.length < sketch.dims) {
      omitted.push(`${stream.id}: ${sketch.dims - sketch.columns.length} of ${sketch.dims} dimensions`);
    }
    streams.push(sketch);
  }
  if (episode.events.length > maxEvents) omitted.push(`${episode.events.length - maxEvents} events`);
  const events = episode.events
    .slice(0, maxEvents)
    .map(({ time_s, label }) => ({ time_s: significant(time_s), label }));
  return { axes: axes.sketches, streams, cameras: pictures, events, omitted };
}

function computeCodesPerColumn(episode: SketchInput, budget: number): number {
  let columns = 0;
  for (const stream of episode.streams) columns += stream.series?.dims ?? 0;
  return clamp(2 * Math.floor(budget / Math.max(1, columns) / 2), minCodes, maxCodes);
}

function sketchStream(stream: Stream, axes: AxisTable, room: number): StreamSketch {
  const dims = stream.series?.dims ?? 0;
  const { buckets, index, timed } = axes.forStream(stream);
  const columns: Column[] = [];
  if (stream.series !== undefined) {
    const columnCount = Math.min(countUsedDims(stream), room);
    for (let d = 0; d < columnCount; d++) {
      const { broken, ...column } = sketchColumn(stream.series.values, dims, d, buckets);
      columns.push(broken === undefined || stream.nan_means !== undefined ? column : { ...column, broken });
    }
  }
  return { id: stream.id, axis: index, timed, names: stream.names, dims, columns };
}

/**
 * Returns the number of dimensions to draw: up to the last with a number, if NaN means that a dimension is
 * unused; else all.
 */
function countUsedDims({ nan_means, series }: Stream): number {
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

/** Axes by timestamps: streams with equal timestamps share an axis. */
class AxisTable {
  readonly sketches: TimeAxis[] = [];
  readonly #known: { time: Float64Array | null; samples: number; axis: MeasuredAxis; index: number }[] = [];
  readonly #codes: number;
  readonly #duration_s: number;

  constructor(codes: number, duration_s: number) {
    this.#codes = codes;
    this.#duration_s = duration_s;
  }

  add(axis: TimeAxis): number {
    return this.sketches.push(axis) - 1;
  }

  forStream(stream: Stream): { buckets: MeasuredAxis['buckets']; index: number; timed: boolean } {
    const time = timesOf(stream);
    const { sample_count, series } = stream;
    const rows =
      series === undefined ? sample_count : Math.floor(series.values.length / Math.max(1, series.dims));
    const samples = time === null ? rows : Math.min(rows, time.length);
    let knownAxis = this.#known.find(
      (each) => each.samples === samples && haveSameStamps(each.time, time, samples),
    );
    if (knownAxis === undefined) {
      const axis = measureAxis(time, samples, this.#codes, this.#duration_s);
      knownAxis = { time, samples, axis, index: this.add(axis.sketch) };
      this.#known.push(knownAxis);
    }
    return { buckets: knownAxis.axis.buckets, index: knownAxis.index, timed: time !== null };
  }
}

function haveSameStamps(a: Float64Array | null, b: Float64Array | null, samples: number): boolean {
  if (a === b || a === null || b === null) return a === b;
  for (let i = 0; i < samples; i++) if (a[i] !== b[i]) return false;
  return true;
}

const cameraTraces = [
  ['brightness', 'luma_mean'],
  ['change', 'difference'],
  ['sharpness', 'sharpness'],
] as const satisfies readonly (readonly [string, keyof SampledFrames])[];

interface CameraSketchOptions {
  /** Maximum number of codes per column. */
  readonly codes: number;
  /** Maximum number of repeat spans. */
  readonly places: number;
  readonly duration_s: number;
}

/** Sketches one camera; `axis` is the axis of its sampled frames, `null` if there are fewer than two. */
function sketchCamera(
  stream: Stream,
  evidence: CameraEvidence | undefined,
  { codes, places, duration_s }: CameraSketchOptions,
): { camera: Omit<CameraSketch, 'axis'>; axis: MeasuredAxis | null } {
  if (evidence === undefined) return { camera: sketchUnmeasuredCamera(stream), axis: null };
  const { sampled } = evidence;
  const axis =
    sampled.time_s.length > 1 ? measureAxis(sampled.time_s, sampled.time_s.length, codes, duration_s) : null;
  return {
    axis,
    camera: {
      id: stream.id,
      decodable: evidence.decodable,
      reason: evidence.reason,
      summary: summarizeCamera(evidence),
      traces:
        axis === null
          ? []
          : cameraTraces.map(([name, member]) => ({
              name,
              column: sketchColumn(sampled[member], 1, 0, axis.buckets),
            })),
      repeats: sampleEvenly(evidence.repeats.places, places).map(([from_s, to_s]) => [
        significant(from_s),
        significant(to_s),
      ]),
      repeated: evidence.repeats.place_count,
      thumbnails: evidence.thumbnails.map(sketchThumbnail),
    },
  };
}

function sketchUnmeasuredCamera(stream: Stream): Omit<CameraSketch, 'axis'> {
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

function summarizeCamera({ container, repeats }: CameraEvidence): string | null {
  if (container === null) return null;
  const rate = container.rate_hz === null ? '' : `, ${significant(container.rate_hz, 4)} Hz`;
  const equal =
    repeats.pairs_equal > 0 ? `, ${repeats.pairs_equal} of ${repeats.pairs_compared} frames repeated` : '';
  return `${container.width_px}×${container.height_px} ${container.codec}, ${container.frame_count} ${container.frame_count === 1 ? 'frame' : 'frames'}${rate}${equal}`;
}

function sketchThumbnail(picture: CameraEvidence['thumbnails'][number]): ThumbnailSketch {
  const { buffer, byteOffset, byteLength } = picture.jpeg;
  return {
    time_s: significant(picture.time_s),
    width_px: picture.width_px,
    height_px: picture.height_px,
    why: picture.why,
    jpeg: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
  };
}

import { AssayError } from '#core';
import type { Episode, Stream } from '#core/episode';
import type { CameraPictures, RgbFrame } from '#io/video';
import { buildEpisodeGrid, type EpisodePart } from './edited-parts.ts';
import { buildGrid, type EpisodeGrid, type GridRule } from './grid.ts';
import type { EpisodeAnnotations, Judgement } from './judgement.ts';
import type { ExportFeature, SetPlan } from './plan-set.ts';

/** Values of one feature, row-major; NaN for rows without a sample. */
export interface FeatureRows {
  readonly feature: ExportFeature;
  readonly values: Float32Array | Float64Array;
  /** Indices of rows without a sample. */
  readonly absent: ReadonlySet<number>;
}

/** Additional data of an episode to export. */
export interface EpisodeExtras {
  readonly openPictures: (stream: Stream) => CameraPictures;
  /** `null` if the format does not store it. */
  readonly judgement: Judgement | null;
  /** Annotations of the episode; `null` if there are none. */
  readonly annotated: EpisodeAnnotations | null;
}

/** Returns the distinct, trimmed, non-empty task texts of an episode, in order. */
export const taskTexts = ({ tasks }: Pick<Episode, 'tasks'>): readonly string[] => [
  ...new Set((tasks ?? []).map(({ text }) => text.trim()).filter((text) => text !== '')),
];

/** An episode to export: rows of features and pictures as the plan defines them. */
export class ExportEpisode {
  readonly #plan: SetPlan;
  readonly #extras: EpisodeExtras;
  readonly #part: EpisodePart | null;
  #grid: EpisodeGrid | null;
  /** The episode as read: every stream at its own rate. */
  readonly episode: Episode;
  /** Index in the new set. */
  readonly index: number;

  /** `part`: the rows to export; null for all rows of the planned grid. */
  constructor(
    episode: Episode,
    index: number,
    plan: SetPlan,
    extras: EpisodeExtras,
    part: EpisodePart | null = null,
  ) {
    this.episode = episode;
    this.index = index;
    this.#plan = plan;
    this.#extras = extras;
    this.#part = part;
    this.#grid = part?.grid ?? null;
  }

  get grid(): EpisodeGrid {
    this.#grid ??= buildEpisodeGrid(this.episode, this.#plan);
    return this.#grid;
  }

  /** Number of rows that the grid left out; 0 if the grid was not used. */
  get left_out(): number {
    return this.#grid?.left_out ?? 0;
  }

  get rows(): number {
    return this.grid.time_s.length;
  }

  /** Time span since the start of the source episode; the end is exclusive. */
  get span_s(): EpisodePart['span_s'] {
    return this.#part?.span_s ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  }

  /** Task texts, in order; empty if the recording has none. */
  get tasks(): readonly string[] {
    return taskTexts(this.episode);
  }

  get judgement(): Judgement | null {
    return this.#extras.judgement;
  }

  get annotated(): EpisodeAnnotations | null {
    return this.#extras.annotated;
  }

  /**
   * Returns the value of a feature for each row, with unit conversions applied; rows without a sample are NaN and
   * listed in `absent`.
   */
  feature(feature: ExportFeature): FeatureRows {
    const { series } = this.#stream(feature.stream);
    const indices = this.#sampleIndices(feature.stream);
    const { dims } = feature;
    const length = indices.length * dims;
    const values = feature.type === 'float64' ? new Float64Array(length) : new Float32Array(length);
    const absent = new Set<number>();
    for (const [row, index] of indices.entries()) {
      if (index < 0 || series === undefined) {
        values.fill(Number.NaN, row * dims, (row + 1) * dims);
        absent.add(row);
      } else for (let i = 0; i < dims; i++) values[row * dims + i] = series.values[index * dims + i];
    }
    for (const { dims: of, by } of this.#plan.edited.get(feature.stream)?.factors ?? [])
      for (let row = 0; row < indices.length; row++) for (const dim of of) values[row * dims + dim] *= by;
    return { feature, values, absent };
  }

  /** Opens the pictures of a stream, in stream order. */
  pictures(stream: string): CameraPictures {
    return this.#extras.openPictures(this.#stream(stream));
  }

  /**
   * Returns the stream indices and times of the distinct pictures of a camera within this part, at most at the
   * requested rate.
   */
  selectPictures(stream: string): { readonly indices: Int32Array; readonly time_s: Float64Array } {
    const { requested_hz, rate_hz } = this.#plan;
    const cameraStream = this.#stream(stream);
    const hasTime = cameraStream.clock !== null && cameraStream.sample_count > 1;
    const rule: GridRule =
      requested_hz === null || !hasTime
        ? { kind: 'rows' }
        : { kind: 'stamps', reference: stream, rate_hz: requested_hz };
    const grid = buildGrid([cameraStream], new Set([stream]), rule, rate_hz);
    const indices = grid.sampleIndices.get(stream) ?? new Int32Array(0);
    const [from_s, until_s] = this.span_s;
    const rows = [...indices.keys()].filter(
      (row) =>
        indices[row] >= 0 &&
        indices[row] !== indices[row - 1] &&
        !(grid.time_s[row] < from_s || grid.time_s[row] >= until_s),
    );
    return {
      indices: Int32Array.from(rows, (row) => indices[row]),
      time_s: Float64Array.from(rows, (row) => grid.time_s[row]),
    };
  }

  /** Returns the picture index of each row; -1 for rows without a picture. */
  pictureIndices(stream: string): Int32Array {
    return this.#sampleIndices(stream);
  }

  /** Yields one decoded picture per row, in order; null for rows without a picture. */
  decodedRows(
    stream: string,
    indices: Int32Array = this.#sampleIndices(stream),
  ): AsyncGenerator<RgbFrame | null> {
    const pictures = this.pictures(stream);
    return decodeRows(indices, (requested) => pictures.decoded(requested), {
      episode: this.episode.id,
      camera: stream,
    });
  }

  #sampleIndices(stream: string): Int32Array {
    return this.grid.sampleIndices.get(stream) ?? new Int32Array(0);
  }

  #stream(id: string): Stream {
    const stream = this.episode.streams.find((one) => one.id === id);
    if (stream === undefined) throw new Error(`${this.episode.id} has no stream ${id}`);
    return stream;
  }
}

/** Decodes the pictures at these indices, in ascending order. */
type DecodePictures = (
  indices: ReadonlySet<number>,
) => AsyncIterable<readonly [index: number, picture: RgbFrame]>;

/**
 * Yields one decoded picture per index, in order, `null` for index −1; throws `unreadable_input` if a picture does not
 * come in order. Rows with the same picture get the same object.
 */
export async function* decodeRows(
  indices: Int32Array,
  decode: DecodePictures,
  { episode, camera }: { readonly episode: string; readonly camera: string },
): AsyncGenerator<RgbFrame | null> {
  const distinct = new Set(indices);
  distinct.delete(-1);
  let at = -1;
  let current: RgbFrame | null = null;
  const pictures = decode(distinct)[Symbol.asyncIterator]();
  try {
    for (const index of indices) {
      while (at < index) {
        const next = await pictures.next();
        if (next.done === true) break;
        [at, current] = next.value;
      }
      if (index >= 0 && at !== index)
        throw new AssayError('unreadable_input', `${episode}: image ${index} of ${camera} is out of order`, {
          advice: `exclude the episode with --without ${episode}`,
        });
      yield index < 0 ? null : current;
    }
  } finally {
    await pictures.return?.();
  }
}

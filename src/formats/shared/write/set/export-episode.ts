import type { Episode, Stream } from '#core/episode';
import type { CameraPictures, RgbFrame } from '#io/video';
import { type EpisodePart, episodeGrid } from './edited-parts.ts';
import { framesOfRows } from './frames-of-rows.ts';
import { type EpisodeGrid, type GridRule, gridOf } from './grid.ts';
import type { Annotated, Judgement } from './judgement.ts';
import type { ExportFeature, SetPlan } from './plan-set.ts';

/** Rows of one feature, row-major; NaN where a row has no sample. */
export interface FeatureRows {
  readonly feature: ExportFeature;
  readonly values: Float32Array | Float64Array;
  /** Rows without a sample. */
  readonly absent: ReadonlySet<number>;
}

/** What belongs to an episode besides its streams. */
export interface EpisodeExtras {
  readonly picturesOf: (stream: Stream) => CameraPictures;
  /** Null: the format holds none. */
  readonly judgement: Judgement | null;
  /** What layers say of it; null: nothing. */
  readonly annotated: Annotated | null;
}

/** The texts of an episode's tasks, in order; none where the recording says none. */
export const taskTexts = ({ tasks }: Pick<Episode, 'tasks'>): readonly string[] => [
  ...new Set((tasks ?? []).map(({ text }) => text.trim()).filter((text) => text !== '')),
];

/** An episode on its way into a set. */
export class ExportEpisode {
  readonly #plan: SetPlan;
  readonly #extras: EpisodeExtras;
  readonly #part: EpisodePart | null;
  #grid: EpisodeGrid | null;
  /** As its reader gave it: every stream at its own rate. */
  readonly episode: Episode;
  /** Its place in the new set. */
  readonly index: number;

  /** `part`: the rows of it that it is; null: all, as the plan lays them. */
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
    this.#grid ??= episodeGrid(this.episode, this.#plan);
    return this.#grid;
  }

  /** Rows that its grid left out; 0 where nobody asked for rows. */
  get left_out(): number {
    return this.#grid?.left_out ?? 0;
  }

  get rows(): number {
    return this.grid.time_s.length;
  }

  /** When it is, since the start of the source's episode; the end is exclusive. */
  get span_s(): EpisodePart['span_s'] {
    return this.#part?.span_s ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  }

  /** The texts of its tasks, in order; none where the recording says none. */
  get tasks(): readonly string[] {
    return taskTexts(this.episode);
  }

  get judgement(): Judgement | null {
    return this.#extras.judgement;
  }

  get annotated(): Annotated | null {
    return this.#extras.annotated;
  }

  feature(feature: ExportFeature): FeatureRows {
    const { series } = this.#stream(feature.stream);
    const places = this.#places(feature.stream);
    const { dims } = feature;
    const length = places.length * dims;
    const values = feature.type === 'float64' ? new Float64Array(length) : new Float32Array(length);
    const absent = new Set<number>();
    for (const [row, place] of places.entries()) {
      if (place < 0 || series === undefined) {
        values.fill(Number.NaN, row * dims, (row + 1) * dims);
        absent.add(row);
      } else for (let i = 0; i < dims; i++) values[row * dims + i] = series.values[place * dims + i];
    }
    for (const { dims: of, by } of this.#plan.edited.get(feature.stream)?.factors ?? [])
      for (let row = 0; row < places.length; row++) for (const dim of of) values[row * dims + dim] *= by;
    return { feature, values, absent };
  }

  /** Any stream's pictures, in the order of the stream. */
  pictures(stream: string): CameraPictures {
    return this.#extras.picturesOf(this.#stream(stream));
  }

  /** Every picture of a camera by itself, at most as many a second as were asked for. */
  picked(stream: string): { readonly places: Int32Array; readonly time_s: Float64Array } {
    const { asked_hz, rate_hz } = this.#plan;
    const own = this.#stream(stream);
    const hasTime = own.clock !== null && own.sample_count > 1;
    const rule: GridRule =
      asked_hz === null || !hasTime
        ? { kind: 'rows' }
        : { kind: 'stamps', reference: stream, rate_hz: asked_hz };
    const grid = gridOf([own], new Set([stream]), rule, rate_hz);
    const places = grid.places.get(stream) ?? new Int32Array(0);
    const [from_s, until_s] = this.span_s;
    const fresh = [...places.keys()].filter(
      (row) =>
        places[row] >= 0 &&
        places[row] !== places[row - 1] &&
        !(grid.time_s[row] < from_s || grid.time_s[row] >= until_s),
    );
    return {
      places: Int32Array.from(fresh, (row) => places[row]),
      time_s: Float64Array.from(fresh, (row) => grid.time_s[row]),
    };
  }

  /** Which picture of a camera each row shows; -1: none. */
  shown(stream: string): Int32Array {
    return this.#places(stream);
  }

  /** One decoded picture a row, in order; null where the row has none. */
  decodedRows(stream: string, places: Int32Array = this.#places(stream)): AsyncGenerator<RgbFrame | null> {
    const pictures = this.pictures(stream);
    return framesOfRows(places, (wanted) => pictures.decoded(wanted), {
      episode: this.episode.id,
      camera: stream,
    });
  }

  #places(stream: string): Int32Array {
    return this.grid.places.get(stream) ?? new Int32Array(0);
  }

  #stream(id: string): Stream {
    const stream = this.episode.streams.find((one) => one.id === id);
    if (stream === undefined) throw new Error(`${this.episode.id} has no stream ${id}`);
    return stream;
  }
}

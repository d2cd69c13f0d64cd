import { clockOf, type Episode, type Stream } from '#core/episode';

/** Smallest, median and largest value; `null` if there is none. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Facts that the recordings show about a stream or camera of a mapping. */
export interface SignalCheck {
  readonly id: string;
  readonly role: string;
  readonly unit: string | null;
  /** Columns of the table, fields of a topic or a pattern of video files, as the mapping writes them. */
  readonly source: readonly string[];
  readonly is_optional: boolean;
  /** Number of episodes that have it. */
  readonly episodes: number;
  /** Shapes of a sample with the number of episodes of each; empty if not known without decoding. */
  readonly shapes: readonly { readonly shape: readonly number[]; readonly episodes: number }[];
  readonly rows: Spread | null;
  /** Rate by the stamps of its clock in Hz. */
  readonly rate_hz: Spread | null;
}

/** Facts that the recordings show about a clock. */
export interface ClockCheck {
  readonly name: string;
  readonly provenance: string;
  readonly episodes: number;
  readonly rate_hz: Spread | null;
  /** Number of stamps that are not later than the one before. */
  readonly not_increasing: number;
  /** Episodes with such stamps. */
  readonly episodes_not_increasing: number;
  readonly missing: number;
}

/** Collects facts about the streams of one id over all episodes and parts of episodes. */
export class SignalFacts {
  readonly #shapes = new Map<string, Set<string>>();
  readonly #rows = new Map<string, number>();
  readonly #rates: number[] = [];
  unit: string | null = null;

  /** Adds the shape, rows, unit and median rate of a stream; several parts of one episode add up their rows. */
  add(stream: Stream, episode: string): void {
    const shape = JSON.stringify(shapeOf(stream));
    const episodes = this.#shapes.get(shape) ?? new Set();
    this.#shapes.set(shape, episodes.add(episode));
    this.#rows.set(episode, (this.#rows.get(episode) ?? 0) + stream.sample_count);
    if (stream.modality === 'numeric') this.unit = stream.unit.unit;
    const clock = clockOf(stream);
    const rate = clock === null || clock.provenance === 'synthesised' ? null : medianRate(clock.time_s);
    if (rate !== null) this.#rates.push(rate);
  }

  /** Returns the number of episodes, shapes by frequency, min, median and max of rows and rates, and the last unit. */
  result(): Pick<SignalCheck, 'episodes' | 'shapes' | 'rows' | 'rate_hz' | 'unit'> {
    const shapes = [...this.#shapes].map(([shape, { size }]) => ({
      shape: JSON.parse(shape) as number[],
      episodes: size,
    }));
    return {
      episodes: this.#rows.size,
      shapes: shapes.filter(({ shape }) => shape.length > 0).sort((a, b) => b.episodes - a.episodes),
      rows: spreadOf([...this.#rows.values()]),
      rate_hz: spreadOf(this.#rates),
      unit: this.unit,
    };
  }
}

/** Returns the shape of a sample; of a video its size if the container declares it. */
function shapeOf({ shape, frames }: Stream): readonly number[] {
  if (shape.length > 0 || frames == null) return shape;
  const size = frames.declared_size_px;
  return size == null ? [] : [size[1], size[0]];
}

/** Collects the stamps of one clock over all episodes. */
export class ClockFacts {
  #rates: number[] = [];
  #provenance = '';
  #notIncreasing = 0;
  #missing = 0;
  readonly #episodes = new Set<string>();
  readonly #faulty = new Set<string>();

  /**
   * Adds the stamps of an episode: counts those that are not finite or not after the one before, and the median rate.
   */
  add({ time_s, provenance }: Episode['streams'][number]['clocks'][number], episode: string): void {
    this.#provenance = provenance;
    this.#episodes.add(episode);
    let before = Number.NEGATIVE_INFINITY;
    for (const time of time_s) {
      if (!Number.isFinite(time)) this.#missing++;
      else {
        if (time <= before) {
          this.#notIncreasing++;
          this.#faulty.add(episode);
        }
        before = time;
      }
    }
    const rate = medianRate(time_s);
    if (rate !== null) this.#rates.push(rate);
  }

  /** Returns the counts and the min, median and max rate in Hz over all episodes, under this name. */
  result(name: string): ClockCheck {
    return {
      name,
      provenance: this.#provenance,
      episodes: this.#episodes.size,
      rate_hz: spreadOf(this.#rates),
      not_increasing: this.#notIncreasing,
      episodes_not_increasing: this.#faulty.size,
      missing: this.#missing,
    };
  }
}

/** Returns the rate by the median step of a clock in Hz; `null` if it has no step. */
function medianRate(time_s: Float64Array): number | null {
  const steps = time_s
    .subarray(1)
    .map((time, at) => time - time_s[at])
    .filter((step) => step > 0)
    .sort();
  return steps.length === 0 ? null : 1 / steps[steps.length >> 1];
}

function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const rounded = (value: number) => Number(value.toPrecision(6));
  return {
    min: rounded(sorted[0]),
    median: rounded(sorted[sorted.length >> 1]),
    max: rounded(sorted[sorted.length - 1]),
  };
}
